// All of our code that runs in a browser. Pages can be read and used without it; it adds live updates, opens evidence
// beside the text that cites it, and adds keyboard shortcuts. The same file is the shared worker that holds the single
// stream of all open tabs.
(() => {
  "use strict";

  const STREAM = "/live";
  const REFUSED = 5000; // milliseconds before retrying a stream that was refused, which the browser does not retry

  // The stream of notices, reopened after any failure. `open` returns true if one is open now.
  function stream(tell) {
    const held = {};
    const connect = () => {
      const source = held.source = new EventSource(STREAM);
      source.onmessage = (event) => tell({ notice: JSON.parse(event.data) });
      source.onopen = () => tell({ open: true });
      source.onerror = () => {
        tell({ open: false });
        if (source.readyState === EventSource.CLOSED && held.source === source) setTimeout(connect, REFUSED);
      };
      source.addEventListener("beat", () => tell({ beat: true }));
    };
    connect();
    return { open: () => held.source.readyState === EventSource.OPEN, close: () => { const last = held.source; held.source = null; last.close(); } };
  }

  // As a shared worker: one connection, whose messages are passed on to every tab.
  if (typeof SharedWorkerGlobalScope !== "undefined" && self instanceof SharedWorkerGlobalScope) {
    const ports = new Set();
    const tell = (message) => { for (const port of ports) port.postMessage(message); };
    const notices = stream(tell);
    self.onconnect = (event) => {
      const port = event.ports[0];
      ports.add(port);
      port.onmessage = (message) => { if (message.data === "leave") ports.delete(port); };
      if (notices.open()) port.postMessage({ open: true, notice: { case: "" } });
    };
    return;
  }

  // -- live updates

  const GAP = 100; // minimum milliseconds between two refreshes of a page; longer if a refresh takes longer
  const DESK_GAP = 1000; // the same for the desk, which any case refreshes
  const SILENCE = 25000; // milliseconds without a message or heartbeat: something in front of the server delays the stream
  const POLL = 3000; // milliseconds between two refreshes of a running case, whose elapsed time changes
  const RETRY = 500; // milliseconds before a page that could not be loaded is tried again; doubled each time
    let asked = false, busy = false, failed = 0, heardAt = Date.now();

  const live = () => document.querySelector("[data-live]");

  async function refresh() {
    asked = true;
    if (busy) return;
    busy = true;
    while (asked && live()) {
      asked = false;
      const began = Date.now(), before = live().dataset.made, was = live().dataset.state;
      try {
        await htmx.ajax("GET", location.pathname + location.search, { target: "#live", select: "#live", swap: "outerMorph" });
        await renewDecision();
      } catch { /* as below: the page is unchanged */ }
      failed = live()?.dataset.made === before ? failed + 1 : 0;
      ended(was);
      if (!failed) document.querySelector("main > [data-expired]")?.remove();
      asked ||= failed > 0; // there may be no further event, so it is tried again until it succeeds
      const least = failed ? Math.min(RETRY * 2 ** (failed - 1), SILENCE) : live()?.dataset.live === "*" ? DESK_GAP : GAP;
      await new Promise((done) => setTimeout(done, Math.max(least, Date.now() - began)));
    }
    busy = false;
  }

  // The form for deciding on a plan, or asking for more, is outside the part that is refreshed, so that nobody loses what they are writing.
  // It is reloaded only when a plan appears or disappears.
  async function renewDecision() {
    const wanted = live()?.dataset.decide;
    const form = document.querySelector("#decide");
    if (/\/(plan|chat)$/.test(location.pathname) && wanted !== form?.dataset.decide && !form?.contains(document.activeElement)) location.reload();
  }

  // A case that has ended, or waits for somebody, is announced in the title and, if allowed, in a notification.
  function ended(was) {
    const now = live()?.dataset.state;
    if (was !== "running" || now === was) return;
    const said = live().dataset.said, name = document.title;
    document.title = `${said}: ${name}`;
    if (document.visibilityState === "hidden" && window.Notification?.permission === "granted") new Notification(said, { body: name, tag: location.pathname });
  }

  function askToNotify(event) {
    const button = event.target.closest?.("[data-notify]");
    if (button) Notification.requestPermission().then(() => { button.hidden = true; });
  }

  function heard(message) {
    if (typeof message.open === "boolean") lost(!message.open);
    if (message.open !== false) heardAt = Date.now();
    const wanted = live()?.dataset.live;
    const notice = message.notice;
    if (notice && wanted && (wanted === "*" || !notice.case || notice.case === wanted)) refresh();
  }

  function look() {
    if (!live() || document.visibilityState !== "visible") return;
    if (live().dataset.state === "running" || Date.now() - heardAt > SILENCE) refresh();
    for (const button of document.querySelectorAll("[data-notify]")) button.hidden = window.Notification?.permission !== "default";
  }

  function lost(isLost, anywhere = live()) {
    const line = document.querySelector("#lost");
    if (line) line.hidden = !isLost || !anywhere;
  }

  let leave = () => {};

  function listen(script) {
    if (typeof SharedWorker !== "function") { leave = stream(heard).close; return; }
    const worker = new SharedWorker(script, { name: "inquest" });
    worker.port.onmessage = (event) => heard(event.data);
    leave = () => worker.port.postMessage("leave");
  }

  // -- evidence beside the text that cites it

  const reader = () => document.querySelector("#reader");

  async function read(address) {
    const reply = await fetch(address, { headers: { "X-Requested-With": "inquest" } });
    if (!reply.ok) { location.assign(address); return; }
    const found = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("#evidence");
    if (!found) { location.assign(address); return; }
    const close = document.createElement("button");
    close.className = "close";
    close.textContent = "✕";
    close.setAttribute("aria-label", reader().dataset.close);
    close.addEventListener("click", () => reader().close());
    const bar = document.createElement("div");
    bar.className = "reader-bar";
    bar.append(close);
    reader().querySelector("#reader-content").replaceChildren(bar, document.importNode(found, true));
    if (!reader().open) reader().showModal();
    reader().scrollTop = 0;
    reader().querySelector("#quote")?.scrollIntoView({ block: "center" });
    close.focus({ preventScroll: true });
  }

  function clicked(event) {
    if (event.target === reader()) { reader().close(); return; }
    const link = event.target.closest?.("a[data-reader]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const address = typeof link.href === "string" ? link.href : link.getAttribute("href");
    read(address).catch(() => location.assign(address));
  }

  // -- keys: / to search, j and k from claim to claim, ? for the list of keys

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === "/") {
      const field = [...document.querySelectorAll("[data-key='/']")].find((each) => each.offsetParent);
      if (field) { event.preventDefault(); field.focus(); }
      return;
    }
    if (event.key === "?") { document.querySelector("#keys").showModal(); return; }
    if (event.key !== "j" && event.key !== "k") return;
    const steps = [...document.querySelectorAll("[data-step]")];
    const now = steps.findIndex((each) => each.hasAttribute("data-focused"));
    const next = steps[Math.max(0, Math.min(steps.length - 1, now + (event.key === "j" ? 1 : -1)))];
    if (!next) return;
    steps[now]?.removeAttribute("data-focused");
    next.setAttribute("data-focused", "");
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }

  // -- helpers

  // Filter the rows of a list by words and by selected values, each of which must be among the values of the row.
  function findIn(filters) {
    filters.hidden = false;
    filters.addEventListener("input", () => {
      const words = filters.querySelector("input").value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = [...filters.querySelectorAll("select")].filter((each) => each.value);
      for (const row of document.querySelectorAll(filters.dataset.find)) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word)) || !chosen.every((each) => (row.dataset[each.name] ?? "").split("|").includes(each.value));
      }
    });
  }

  // The form keeps its content: a user who was signed out signs in beside it, and submits it again.
  function signedOut(form) {
    const line = document.querySelector("#signed-out").content.cloneNode(true).firstElementChild;
    form.prepend(line);
    if (form.matches("form")) line.scrollIntoView({ block: "center" });
    else line.querySelector("b").textContent = document.querySelector("#signed-out").dataset.stale;
  }

  // Show why a form was rejected, beside its field if that is known and visible; the form keeps its content.
  function refused(form, found) {
    const alert = document.importNode(found, true);
    const field = form.elements[alert.dataset.refused];
    const place = field instanceof Element && field.type !== "hidden" ? field.closest("label") ?? field : null;
    alert.className = "alert";
    alert.id = "refused";
    document.querySelectorAll("#refused").forEach((each) => each.remove());
    form.querySelectorAll("[aria-invalid]").forEach((each) => { each.removeAttribute("aria-invalid"); each.removeAttribute("aria-describedby"); });
    if (place) {
      place.after(alert);
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "refused");
      if (place.closest("details")) place.closest("details").open = true;
      field.focus();
    } else form.prepend(alert);
    alert.scrollIntoView({ block: "center" });
  }

  function go(address) {
    const to = new URL(address, location.href), here = to.pathname === location.pathname && to.search === location.search;
    location.assign(to);
    if (here && to.hash) { history.scrollRestoration = "manual"; location.reload(); } // a decision can move its claim
  }

  // Handle the reply to a form: an address to go to, the reason why it was rejected, or a page.
  function answered(form, status, address, text) {
    if (status === 401) return signedOut(form);
    if (address) return go(address);
    const main = new DOMParser().parseFromString(text, "text/html").querySelector("#main");
    const alert = main?.querySelector("[data-refused]");
    if (status === 409 && form.elements.seen) form.elements.seen.value = form.closest("[data-seen]").dataset.seen;
    if (status >= 400 && alert) return refused(form, alert);
    if (!main) return location.reload();
    document.querySelector("#main").replaceWith(document.importNode(main, true));
    document.querySelector("#main [role=status]")?.scrollIntoView({ block: "center" });
    start();
  }

  // Submit forms from here, so that a rejected one keeps its content.
  async function sent(event) {
    const form = event.target, by = event.submitter;
    if (event.defaultPrevented || form.method !== "post" || !document.querySelector("#signed-out") || !form.closest("#main, dialog")) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "yes";
    form.querySelector("[data-expired]")?.remove();
    const given = new FormData(form, by), address = by?.hasAttribute("formaction") ? by.formAction : form.getAttribute("action");
    try {
      const body = form.enctype === "multipart/form-data" ? given : new URLSearchParams(given);
      const reply = await fetch(address, { method: "POST", body, headers: { "X-Requested-With": "inquest" } });
      answered(form, reply.status, reply.headers.get("X-Location"), await reply.text());
    } catch { lost(true, true); }
    delete form.dataset.sending;
  }

  function upload(form) {
    const drop = form.querySelector(".drop");
    for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
      drop.addEventListener(name, () => drop.classList.toggle("over", over));
    }
    form.addEventListener("submit", (event) => {
      if (!form.querySelector("input[type=file]").files.length) return;
      event.preventDefault();
      const bar = form.querySelector("progress");
      form.querySelector("[data-expired]")?.remove();
      const request = new XMLHttpRequest();
      bar.hidden = false;
      request.upload.onprogress = (sent) => { if (sent.lengthComputable) bar.value = (100 * sent.loaded) / sent.total; };
      request.onload = () => {
        bar.hidden = true;
        answered(form, request.status, request.getResponseHeader("X-Location"), request.responseText);
      };
      request.onerror = () => { bar.hidden = true; form.submit(); };
      request.open("POST", form.action);
      request.setRequestHeader("X-Requested-With", "inquest");
      request.send(new FormData(form));
    });
  }

  function start() {
    document.querySelectorAll("[data-find]").forEach(findIn);
    document.querySelectorAll("form[data-upload]").forEach(upload);
    const alert = document.querySelector(".alert[data-refused]:not(#refused)"), form = document.querySelector("#main form[method=post]");
    if (alert?.dataset.refused && form?.elements[alert.dataset.refused]) { alert.remove(); refused(form, alert); }
  }

  const script = document.currentScript.src;
  document.addEventListener("click", clicked);
  document.addEventListener("click", askToNotify);
  document.addEventListener("keydown", pressed);
  document.addEventListener("submit", sent);
  document.addEventListener("htmx:response:error", (event) => { // a page that cannot be refreshed does not report it by itself
    const main = document.querySelector("main");
    const out = event.detail.ctx?.response?.status === 401 && document.querySelector("#signed-out");
    if (out && !main.querySelector(":scope > [data-expired]")) signedOut(main);
  });
  start();
  if (live()) {
    listen(script);
    setInterval(look, POLL);
    addEventListener("pagehide", () => leave());
    addEventListener("pageshow", (event) => { if (event.persisted) { listen(script); refresh(); } }); // back to a page from the browser's cache
  }
})();
