"""A yes/no question becomes the statement that answers it."""

from __future__ import annotations

import pytest

from inquest.claims.standalone import statement_of


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Did a Swedish library in Orrevik fine a reader?", "A Swedish library in Orrevik fined a reader."),
        ("Did Odell Water ever pay any damages?", "Odell Water paid some damages."),
        ("Has Odell Water withdrawn its application?", "Odell Water has withdrawn its application."),
        ("Has a battery really never caught fire?", "A battery has never caught fire."),
        ("Was the works at Odell closed in 2021?", "The works at Odell was closed in 2021."),
        ("Is Northmere the largest owner of land here?", "Northmere is the largest owner of land here."),
        ("Has the council of Odell approved the plan?", "The council of Odell has approved the plan."),
        ("Did the council of Odell let the plan go ahead?", "The council of Odell let the plan go ahead."),
        ("Is the plan of Odell still on track?", "The plan of Odell is still on track."),
        ("Isn't the water safe?", ""),
        ("Is the fish in the lake safe to eat?", ""),
        ("Did people fall ill because of it?", ""),
    ],
)
def test_a_yes_no_question_is_the_statement_that_answers_it_or_stays_a_question(question: str, statement: str) -> None:
    assert statement_of(question) == statement
