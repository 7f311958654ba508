FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements ./requirements
RUN python -m venv /opt/inquest \
    && /opt/inquest/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# The locked versions of what one machine needs stand; the packages of the extras are chosen beside them.
RUN sed -n 's/^\([A-Za-z0-9._-]*==[^ ;]*\).*/\1/p' requirements/dev.txt > locked.txt \
    && /opt/inquest/bin/pip install --no-cache-dir -c locked.txt '.[server,postgres,pdf]'

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data inquest && mkdir /data && chown inquest /data
COPY --from=build /opt/inquest /opt/inquest
ENV PATH=/opt/inquest/bin:$PATH INQUEST_HOME=/data PYTHONUNBUFFERED=1
USER 10001
VOLUME /data
EXPOSE 8311
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; os.path.exists('/proc/1/cmdline') and b'serve' in open('/proc/1/cmdline', 'rb').read() and r.urlopen('http://127.0.0.1:8311/healthz', timeout=2)"]
ENTRYPOINT ["inquest"]
CMD ["serve", "--host", "0.0.0.0", "--log", "json"]
