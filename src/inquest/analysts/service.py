"""One model behind the HTTP client: asks it once, counts what that cost, and says in our own errors what went wrong."""

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
"""Tokens of an answer where a case has a budget: without an end to them there is no highest price. A small model on a
server of one's own may never find an end, and writes five a second: no more than fit into one exchange."""
_CHARACTERS_PER_TOKEN = 3.0
"""Fewer than in any language with spaces, so that the estimate is not too low."""
_UNKNOWN_PRICE = 1e-6
"""US dollars for a call of a paid service whose price is in no list: refused only where nothing may be spent."""

_PASSAGES, _PASSAGES_OF_OWN = 48, 8
"""Passages in one call. A claim of an inquiry has fewer than 48, and two desks choose no more between them, so that it
takes one call (PRODUCT.md, decision 13). A server of one's own may write five tokens a second: of eight passages it
writes for a minute."""
_CUTS, _SMALLER = 5, 0.7
"""How often a question that is refused as too long is cut, and to what share of itself."""
_LIMITS_SECONDS = 5.0
_NO_LIMITS = ModelLimits()


class PromptTooLong(Exception):
    """The question is longer than the model can take, and may be asked in parts."""


def _tokens(text: str) -> int:
    """Tokens of a text at most, nearly: three bytes each, of any script."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


class ModelService:
    """A model that can be asked. May be asked concurrently."""

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
        """`name`: as the settings write it. `make` builds the client, which is put off until it is needed (a library's
        takes a second to import). `key`: the setting that holds its key, for advice. `limited`: the case has a budget
        of money, so that answers have a greatest length. `free`: it is a
        server of one's own, which costs nothing, and of which nothing is known before it is asked."""
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
        """US dollars for so many tokens."""
        if self._own:
            return 0.0
        usd = price(self._asked(), ModelText(text="", tokens_in=tokens_in, tokens_out=tokens_out))
        return _UNKNOWN_PRICE if usd is None else usd

    @property
    def at_once(self) -> int:
        """Passages that are judged in one call."""
        return _PASSAGES_OF_OWN if self._own else _PASSAGES

    async def ask(
        self, instructions: str, text: str, schema: Mapping[str, Any], *, again: bool = False, whole: bool = False
    ) -> str:
        """The model's answer as text. `schema`: of the answer. `again`: an answer to this was of no use. `whole`: a
        question that is too long for the model raises PromptTooLong; otherwise its texts are cut until it is not.

        Raises ModelKeyRefused, ModelUnavailable; ModelFormat where what came back is no answer at all; BudgetMet;
        NotRecorded on replay.
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
                # What was refused is too long, whatever number is named, and however its tokens are counted.
                size = int(_SMALLER * min(size, tokens or size))
                tokens = min(size, error.tokens or size)
        raise ModelFormat(self.name, f"{self.name} takes no question as long as this one.")

    async def _in_a_form(self, question: ModelQuestion, again: bool) -> str:
        """The answer, asked for in the strictest form that the service takes. Services whose models are known to
        answer in JSON are asked for it by the prompt alone, since a schema is paid for with every call; a second time,
        all are asked in another form. On replay the form is the one that was recorded.

        Raises ModelRefused, and as `ask`."""
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
        bound = self._highest_price(len(question.instructions) + len(question.text))
        note = Note(bound)
        token = NOTE.set(note)
        try:
            said = await self._asked().ask(question)
        except ValueError as error:
            form = f"{self.name} answered something that is not its documented form."
            raise ModelFormat(self.name, form) from error
        finally:
            NOTE.reset(token)
        if not note.recorded:
            self._budget.spend(self._cost(said), reserved=bound)
        return said.text

    async def _known_limits(self) -> ModelLimits:
        """What a server of one's own says of its limits, asked once; other services' models take more than is asked."""
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
        """Of an answer: an end is set where money is limited, and where a small model may never find one."""
        if self._own:
            return min(_MOST_TOKENS_OF_OWN, tokens // 4) if tokens else _MOST_TOKENS_OF_OWN
        return _MOST_TOKENS if self._limited else None

    def _asked(self) -> AskedModel:
        if self._model is None:
            self._model = self._make()
        return self._model

    def _highest_price(self, characters: int) -> float:
        """US dollars that a question of this length may cost at most; 0 where nobody limits them."""
        if not self._limited:
            return 0.0
        return self.price(int(characters / _CHARACTERS_PER_TOKEN) + 1, _MOST_TOKENS)

    def _cost(self, said: ModelText) -> Cost:
        """What the answer cost; a model that is not in the price list costs 0 USD, and its tokens are counted all the
        same."""
        usd = price(self._asked(), said) or 0.0
        return Cost(model_calls=1, tokens_in=said.tokens_in, tokens_out=said.tokens_out, usd=usd)

    def _refusal(self, status: int) -> ModelError:
        name = self.name
        if status in (401, 403):
            return ModelKeyRefused(name, f"{name} refused the key ({status}).", advice=f"Check {self._key}.")
        if status in (402, 429):
            return ModelUnavailable(
                name, f"{name} says its quota or rate is used up ({status}).", advice="Try again later."
            )
        if status == 404:
            return ModelUnavailable(name, f"{name} is not known to its service (404).", advice="Check INQUEST_MODEL.")
        if status >= 500:
            return ModelUnavailable(name, f"{name} is out of order ({status}).", advice="Try again later.")
        return ModelFormat(name, f"{name} did not accept the request ({status}).")
