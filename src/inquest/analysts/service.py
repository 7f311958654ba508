"""One model behind the HTTP client: asks it once, counts what that cost, and says in our own errors what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from inquest.analysts.asked_model import NOTE, AskedModel, ModelRefused, ModelText, Note, price
from inquest.domain.errors import ModelError, ModelFormat, ModelKeyRefused, ModelUnavailable
from inquest.domain.report import Cost
from inquest.kit.ports import Budget

_MOST_TOKENS = 4000
"""Tokens of an answer where a case has a budget: without an end to them there is no highest price."""
_CHARACTERS_PER_TOKEN = 3.0
"""Fewer than in any language with spaces, so that the estimate is not too low."""
_UNKNOWN_PRICE = 1e-6
"""US dollars for a call of a paid service whose price is in no list: refused only where nothing may be spent."""


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
        of money, so that answers have a greatest length. `free`: it costs nothing, as a server of one's own."""
        self.name = name
        self._make = make
        self._model: AskedModel | None = None
        self._budget = budget
        self._key = key
        self._limited, self._free = limited, free

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """US dollars for so many tokens."""
        if self._free:
            return 0.0
        usd = price(self._asked(), ModelText(text="", tokens_in=tokens_in, tokens_out=tokens_out))
        return _UNKNOWN_PRICE if usd is None else usd

    async def ask(self, instructions: str, question: str) -> str:
        """The model's answer as text. Raises ModelKeyRefused, ModelUnavailable; ModelFormat where what came back is no
        answer at all; BudgetMet; NotRecorded on replay."""
        self._budget.check()
        bound = self._highest_price(len(instructions) + len(question))
        note = Note(bound)
        token = NOTE.set(note)
        try:
            said = await self._asked().ask(instructions, question, _MOST_TOKENS if self._limited else None)
        except ModelRefused as error:
            raise self._refusal(error.status) from error
        except ValueError as error:
            form = f"{self.name} answered something that is not its documented form."
            raise ModelFormat(self.name, form) from error
        finally:
            NOTE.reset(token)
        if not note.recorded:
            self._budget.spend(self._cost(said), reserved=bound)
        return said.text

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
