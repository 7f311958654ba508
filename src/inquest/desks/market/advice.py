"""What urges to trade, and what speaks to a machine instead of a reader: neither is handed on.

The market desk reports and gives no advice, so that a page's 'Buy now' must not come out of it as if it were ours. A
firm's grade ('upgraded to Buy') is an event and is reported as the firm's (desks.market.analysts).
"""

from __future__ import annotations

from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

DISCLAIMER = "This reports what sources say. It is no investment advice, and recommends no trade."

_TRADE = r"(?:buy|buying|sell|selling|short|shorting|invest|investing|trade|trading|dump|accumulate)"
_URGES = regex(
    r"(?:^|[.!?:;\"“”'’*>\n–—-]\s*)(?:so\s+|now\s+|just\s+|then\s+|please\s+|please,\s+)?"
    r"(?:(?:buy|sell|short|dump|accumulate)\b(?!-?\s*(?:side|rating|ratings|recommendations?|grade|off|out|backs?|ers?|"
    r"ing|sellers|pressure|orders?|volume|signals?|of|by|on|side|term|sellers?)\b)|hold\s+(?:on\s+to\s+)?(?:your|"
    r"the)\s+(?:shares|stock)|"
    r"load\s+up|get\s+(?:in|out)\s+(?:now|before|while)|act\s+(?:now|fast)|don'?t\s+(?:miss|wait|panic)|grab\s)"
    rf"|\b(?:you|investors?|traders?|everyone|readers?|shareholders?)\s+(?:should|must|need\s+to|ought\s+to|have\s+to|"
    rf"better|can\s+still)\s+(?:\w+\s+){{0,2}}{_TRADE}\b"
    rf"|\b(?:time|moment|chance|opportunity|smart|wise)\s+to\s+{_TRADE}\b|\breasons?\s+to\s+(?:buy|"
    rf"sell)\s+(?:the\s+)?(?:stock|shares)\b"
    r"|\b(?:stocks?|shares?|names?|picks?)\s+(?:for\s+[\w ]{1,20}?\s+)?to\s+(?:buy|sell|own|avoid|load\s+up|"
    r"watch\s+and\s+buy)\b"
    r"|\bmust[ -](?:own|have)\s+(?:\w+\s+)?(?:stocks?|shares?|names?)\b"
    r"|\bif\s+you(?:['’]d|\s+had)?\s+(?:invested|put)\s+\$?\d"
    r"|\b(?:screaming|must|table-pounding|no-brainer|obvious|great|best|strong)[ -](?:buy|sell)\b(?!\s+(?:rating|"
    r"grade))"
    rf"|\b(?:i|we)(?:\s+(?:strongly|would|do|also|still))?\s+(?:recommend|suggest|advise|urge)\b"
    rf"|\b(?:recommend|suggest|advise|urge)s?\s+(?:that\s+you\s+|you\s+|investors\s+|readers\s+)?(?:to\s+)?{_TRADE}\b"
    r"|\b(?:is|are|looks?(?:\s+like)?|remains?)\s+an?\s+(?:\w+\s+)?(?:buy|sell)\b(?!\s+(?:rating|grade|side))"
    r"|\b(?:is|are)\s+[\w$.' -]{1,40}\s+an?\s+(?:\w+\s+)?(?:buy|sell)\b(?!\s+(?:rating|grade|side))|\bbetter\s+buy\b"
    rf"|\bshould\s+(?:you|i|we|investors)\s+(?:\w+\s+)?{_TRADE}\b"
    r"|\b(?:could|will|might|may|set\s+to|about\s+to)\s+(?:soar|skyrocket|explode|moon|double\s+your|make\s+you)\b"
    r"|\bbuy\s+the\s+dip\b|\bto\s+the\s+moon\b|\bguaranteed\s+(?:returns?|profits?|gains?)\b|\bget\s+rich\b"
    r"|\bmillionaire[\s-]maker\b|\bmake\s+you\s+(?:a\s+million|rich)",
)
_INSTRUCTS = pattern(__name__, "instructs")


def urges(text: str) -> bool:
    """Whether it urges its reader to trade."""
    return bool(_URGES.search(fold(text)))


def instructs(text: str) -> bool:
    """Whether it speaks to a program that reads it."""
    return bool(_INSTRUCTS.search(text[:20_000]))
