"""One model behind the HTTP client: sends questions, counts the cost, and translates errors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

from inquest.analysts.asked_model import (
    FORMS,
    NOTE,
    AskedModel,
    Form,
    ModelLimits,
    ModelQuestion,
    ModelRefused,
    ModelText,
    Note,
    price,
)
from inquest.analysts.marking import cut_to
from inquest.domain.errors import ModelError, ModelFormat, ModelKeyRefused, ModelUnavailable, NotRecorded
from inquest.domain.report import Cost
from inquest.kit.ports import Budget

_MOST_TOKENS, _MOST_TOKENS_OF_OWN = 4000, 1500
"""Maximum tokens of an answer in a case with a budget, which needs a highest price, and from a self-hosted server,
whose small model may never stop and writes about five per second: no more than fit into one exchange."""
_UNKNOWN_PRICE = 1e-6
"""US dollars for a call of a paid service without a listed price: rejected only if nothing may be spent."""

_PASSAGES, _PASSAGES_OF_OWN = 48, 8
"""Passages per call. A claim of an inquiry has fewer than 48, and two desks together choose no more, so that it takes
one call (PRODUCT.md, decision 13). A self-hosted server may write five tokens a second, which makes a minute for eight
passages."""
_CUTS, _SMALLER = 5, 0.7
"""Number of times that an overlong question is cut, and the share of its length that remains each time."""
_LIMITS_SECONDS = 5.0
_NO_LIMITS = ModelLimits()


class PromptTooLong(Exception):
    """The question is longer than the model accepts, and may be split."""


def _tokens(text: str) -> int:
    """Estimate the tokens of a text, at three bytes each in any script, so that estimates are not too low."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


class ModelService:
    """A model service. Supports concurrent calls."""

    def __init__(
        self,
        name: str,
        make: Callable[[], AskedModel],
        budget: Budget,
        *,
        key: str,
        limited: bool = False,
        free: bool = False,
    ) -> None:
        """`name`: as in the settings. `make`: builds the client on first use (importing a library's takes a second).
        `key`: the setting of its key, for advice. `limited`: the case has a budget, so that answers have a maximum
        length. `free`: a self-hosted server, which costs nothing and whose limits are unknown until they are
        requested."""
        self.name = name
        self._make = make
        self._model: AskedModel | None = None
        self._budget = budget
        self._key = key
        self._limited, self._own = limited, free
        self._refused: set[Form] = set()
        self._limits: ModelLimits | None = None
        self._asking_limits = asyncio.Lock()
        self._turns: asyncio.Semaphore | None = None

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of a number of tokens in US dollars."""
        if self._own:
            return 0.0
        usd = price(self._asked(), ModelText(text="", tokens_in=tokens_in, tokens_out=tokens_out))
        return _UNKNOWN_PRICE if usd is None else usd

    @property
    def at_once(self) -> int:
        """Passages assessed in one call."""
        return _PASSAGES_OF_OWN if self._own else _PASSAGES

    async def ask(
        self, instructions: str, text: str, schema: Mapping[str, Any], *, again: bool = False, whole: bool = False
    ) -> str:
        """Return the model's answer as text. `schema`: of the answer. `again`: the last answer was unusable. `whole`:
        raise PromptTooLong if the question is too long; otherwise its texts are shortened to fit.

        Raises ModelKeyRefused, ModelUnavailable, ModelFormat for a malformed reply, BudgetMet, and NotRecorded on
        replay.
        """
        self._budget.check()
        limits = await self._known_limits()
        tokens = limits.tokens
        size = _tokens(instructions + text)
        for _ in range(_CUTS):
            question = ModelQuestion(instructions, text, self._most_tokens(tokens), schema=schema)
            if tokens is not None:
                room = tokens - (question.most_tokens or tokens // 4) - _tokens(instructions)
                characters = int(max(1, room) * len(text) / max(1, _tokens(text)))
                question = replace(question, text=cut_to(text, characters))
                if whole and question.text != text:
                    raise PromptTooLong
            try:
                async with self._turns or nullcontext():
                    return await self._in_a_form(question, again)
            except ModelRefused as error:
                if not error.too_long:
                    raise self._refusal(error.status) from error
                if whole:
                    raise PromptTooLong from error
                # A rejected question is too long, whatever number the message has and however tokens are counted.
                size = int(_SMALLER * min(size, tokens or size))
                tokens = min(size, error.tokens or size)
        raise ModelFormat(self.name, f"{self.name} refused the question as too long, even when shortened.")

    async def _in_a_form(self, question: ModelQuestion, again: bool) -> str:
        """Request the answer in the strictest form that the service accepts. Services whose models reliably answer in
        JSON get the prompt alone, since every schema costs tokens; a second request uses another form. On replay the
        recorded form is used.

        Raises ModelRefused, and as `ask`.
        """
        forms = [form for form in FORMS if form not in self._refused]
        if self._own:
            forms = forms[1:] + forms[:1] if again else forms
        elif not again:
            forms = forms[-1:]
        unknown: NotRecorded | None = None
        for form in forms:
            try:
                return await self._answer(replace(question, form=form))
            except NotRecorded as error:
                unknown = error
            except ModelRefused as error:
                if form == "plain" or not error.of_the_form:
                    raise
                self._refused.add(form)
        if unknown is not None:
            raise unknown
        return await self._answer(replace(question, form="plain"))

    async def _answer(self, question: ModelQuestion) -> str:
        # The highest price of the question in US dollars; 0 without a budget.
        most = _tokens(question.instructions + question.text)
        note = Note(self.price(most, _MOST_TOKENS) if self._limited else 0.0)
        token = NOTE.set(note)
        try:
            said = await self._asked().ask(question)
        except ModelUnavailable:
            if note.cut:  # it is paid for what it has read
                self._budget.spend(Cost(model_calls=1, tokens_in=most, usd=self.price(most, 0)))
            raise
        except ValueError as error:
            form = f"{self.name} answered something that is not its documented form."
            raise ModelFormat(self.name, form) from error
        finally:
            NOTE.reset(token)
        if not note.recorded:
            # A model without a listed price costs 0 USD; its tokens are still counted.
            usd = price(self._asked(), said) or 0.0
            cost = Cost(model_calls=1, tokens_in=said.tokens_in, tokens_out=said.tokens_out, usd=usd)
            self._budget.spend(cost, reserved=note.usd)
        if said.declined:
            raise ModelUnavailable(self.name, f"{self.name} declined to answer.", advice="Another model may answer.")
        return said.text

    async def _known_limits(self) -> ModelLimits:
        """Ask a self-hosted server for its limits, once; models of other services accept more than any question has."""
        if not self._own:
            return _NO_LIMITS
        async with self._asking_limits:
            if self._limits is None:
                self._limits = _NO_LIMITS
                with suppress(ModelError, ModelRefused, NotRecorded, TimeoutError, ValueError):
                    async with asyncio.timeout(_LIMITS_SECONDS):
                        self._limits = await self._asked().limits()
                self._turns = asyncio.Semaphore(self._limits.at_once) if self._limits.at_once else None
        return self._limits

    def _most_tokens(self, tokens: int | None) -> int | None:
        """Return the maximum length of an answer, if money is limited or a small model may never stop."""
        if self._own:
            return min(_MOST_TOKENS_OF_OWN, tokens // 4) if tokens else _MOST_TOKENS_OF_OWN
        return _MOST_TOKENS if self._limited else None

    def _asked(self) -> AskedModel:
        if self._model is None:
            self._model = self._make()
        return self._model

    def _refusal(self, status: int) -> ModelError:
        name = self.name
        if status in (401, 403):
            return ModelKeyRefused(name, f"{name} refused the key ({status}).", advice=f"Check {self._key}.")
        if status in (402, 429):
            return ModelUnavailable(
                name, f"{name} says its quota or rate limit is used up ({status}).", advice="Try again later."
            )
        if status == 404:
            return ModelUnavailable(name, f"{name} is not known to its service (404).", advice="Check INQUEST_MODEL.")
        if status >= 500:
            return ModelUnavailable(name, f"{name} is unavailable ({status}).", advice="Try again later.")
        return ModelFormat(name, f"{name} did not accept the request ({status}).")
