"""Words in the reader's language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from .chinese import TEXTS as CHINESE
from .english import TEXTS as ENGLISH
from .notice import Notice

LANGUAGES: dict[str, dict[str, str]] = {"en": ENGLISH, "zh_CN": CHINESE}


class Texts:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._table = LANGUAGES[language]

    def __call__(self, key: str, *values: object) -> str:
        """A text with its gaps filled; a color is named in this language."""
        return self._table[key].format(*(self._table.get(str(value), value) for value in values))

    def notice(self, notice: Notice) -> str:
        """A notice in words."""
        return self(notice.key, *notice.values)

    def notices(self, notices: Iterable[Notice]) -> str:
        """Several notices in one line."""
        return "   ".join(self.notice(notice) for notice in notices)


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the reader's locale, English where we do not have it."""
    wished = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return "zh_CN" if wished.lower().startswith("zh") else "en"
