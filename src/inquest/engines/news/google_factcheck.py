"""Google Fact Check Tools: reviews of claims by fact checkers worldwide; needs a key."""

from __future__ import annotations

from inquest.claims.claim_review import verdict_of
from inquest.domain.search import ClaimReview, EngineKind, Hit, Query
from inquest.kit.dialect import count, hosts, language_of, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, listed, listing, mapping, present, web_url


class GoogleFactCheck(Engine):
    """One hit per review of each claim. It can filter by one checker's site, and by age only as counted from today."""

    spec = EngineSpec(
        name="google_factcheck",
        title="Google Fact Check",
        kinds=(EngineKind.FACT_CHECK,),
        key="GOOGLE_API_KEY",
        homepage="https://toolbox.google.com/factcheck/explorer",
        documentation="https://developers.google.com/fact-check/tools/api/reference/rest/v1alpha1/claims/search",
        limits=Limits(per_second=5, concurrency=2),
        filters_language=True,
    )
    refused_in = (("error", "message"),)  # an invalid key is a 400

    def request(self, query: Query) -> Request:
        sites = hosts(query.domains)
        parameters = {
            "query": words(query),
            "languageCode": language_of(query.language),
            "pageSize": count(query, 100),
            "reviewPublisherSiteFilter": sites[0] if len(sites) == 1 else None,
            "key": self.access.key,
        }
        return self.get("https://factchecktools.googleapis.com/v1alpha1/claims:search", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise self.refusal(dig(data, "error", "message") or data["error"])
        if not data.keys() <= {"claims", "nextPageToken"}:  # {} means 'nothing found'
            raise ValueError("neither claims nor an empty reply")
        # A claim without a review counts as malformed.
        pairs = [(c, review) for c in listed(data.get("claims")) for review in listing(dig(c, "claimReview")) or [None]]
        return self.hits(pairs, lambda pair: self._hit(*pair, reply))

    def _hit(self, claim: object, item: object, reply: Reply) -> Hit:
        fields, url = mapping(item), web_url(dig(item, "url"))
        site = as_text(dig(fields, "publisher", "site"))
        title, checker = as_text(fields.get("title")), as_text(dig(fields, "publisher", "name")) or site
        language, at = language_of(fields.get("languageCode")), dated(fields, "reviewDate", now=reply.at)
        review = ClaimReview(
            claim=as_text(dig(claim, "text")) or title,
            claimant=as_text(dig(claim, "claimant")) or None,
            claimed_at=dated(claim, "claimDate", now=reply.at),
            rating=(rating := as_text(fields.get("textualRating"))),
            verdict=verdict_of(rating),
            reviewer=checker or None,
            url=url,
            title=title or None,
            at=at,
            language=language,
        )
        if not review.claim:
            raise ValueError("a review without a claim")
        return Hit(
            url=url,
            title=title or f"Fact check: {review.claim}",
            snippet=f"{review.claimant or 'Claim'}: {review.claim} {checker or 'Rating'}: {rating or 'not rated'}",
            published=at,
            publisher=checker or None,
            language=language,
            details=present(publisher_domain=site),
            review=review,
        )
