"""The questions of the engine that have no function in `__init__.py`: each gets one, with its settings as keywords.

The functions of this module stand in `_questions.pyi` for programs that check types. `python/tests/test_types.py` writes that file.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from . import _answers
from ._answers import QUESTIONS, SETTINGS, Answers, ask
from ._kinds import Records

__all__: list[str] = []

#: The questions that have a function in `__init__.py`.
WRITTEN = {"augment", "canonical", "check", "count", "rank", "rate", "score", "solutions", "solve", "trace"}


def docstring(about: dict[str, Any]) -> str:
    """What the function of a question says of itself."""
    columns, settings = {column["name"]: column["about"] for column in about["columns"]}, SETTINGS[about["name"]]
    if "record" in columns:
        columns["record"] += ", from 0"
        columns["status"] += ": a value for each record, and not for each row"
        if "limit" in settings:
            columns["more"] = "whether the record has more rows than the limit: a value for each record"
    usual = lambda value: f" Without it: {value:,}." if type(value) in (int, float) else ""
    abouts = {option["name"].replace("-", "_"): option["about"] for option in about["options"]}
    keywords = "\n".join(f"* ``{key}``: {abouts[key]}{usual(setting.usual)}" for key, setting in settings.items())
    fields = "\n".join(f"* ``{name}``: {meaning}" for name, meaning in columns.items())
    details = textwrap.dedent(about["details"]).strip()
    parts = [f"{about['about']}.", details, keywords, f"The answer has:\n\n{fields}", "Errors: as `solve`."]
    return "\n\n".join(part for part in parts if part)


def answer_of(about: dict[str, Any]) -> type[Answers]:
    """The class of the answers to a question."""
    name = about["name"].replace("-", "_")
    fields = tuple(column["name"] for column in about["columns"])
    own: dict[str, Any] = {"__doc__": f"What `{name}` returns.", "__module__": __name__}
    if "record" in fields:
        # The status is that of a record, and not of a row.
        fields = tuple(field for field in fields if field != "status")
        own["__repr__"] = _answers.Rows.__repr__
    return type(name.title().replace("_", ""), (Answers,), {"_fields": fields, **own})


def function_of(about: dict[str, Any], answer: type[Answers]) -> Callable[..., Answers]:
    """The function of a question: its settings are keywords."""
    name, settings = about["name"].replace("-", "_"), SETTINGS[about["name"]]

    def function(records: Records, *, threads: int | None = None, **given: Any) -> Answers:
        for key in given:
            if key not in settings:
                raise TypeError(f"{name}() has no keyword {key}; one of: {', '.join([*settings, 'threads'])}")
        return answer(*ask(about["name"], records, threads, **given))

    any_kind, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("records", any_kind),
        *(inspect.Parameter(key, keyword, default=setting.usual) for key, setting in settings.items()),
        inspect.Parameter("threads", keyword, default=None),
    ]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = docstring(about)
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return function


for _about in QUESTIONS:
    if _about["name"] not in WRITTEN:
        _answer = answer_of(_about)
        _function = function_of(_about, _answer)
        # By these names pickle finds them.
        globals()[_answer.__name__], globals()[_function.__name__] = _answer, _function
        __all__ += [_answer.__name__, _function.__name__]


class Counts:
    """The columns of `rate` with ``counts``. Each is None without."""

    for _column in next(about for about in QUESTIONS if about["name"] == "rate")["columns"]:
        if _column["when"] == "counts":
            locals()[_column["name"]] = None
