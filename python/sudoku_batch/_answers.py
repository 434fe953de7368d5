"""Columns of answers, and how a question is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from json import loads
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

from . import _engine
from ._kinds import Kind, kind_of, list_of, stream_of, table_of, thread_count, whole

#: All statuses, in the order of their codes.
STATUSES: tuple[str, ...] = tuple(_engine.STATUSES)

#: A number, or the first and the last of a range: two numbers, or `range(28, 31)` for whole ones.
Range: TypeAlias = int | range | Sequence[int | None]

#: Up to this number of records a `repr` has every answer; beyond, it counts them.
_FULLY_SHOWN = 4


class Columns:
    """Columns with names. They are a tuple too: they can be unpacked, their length is the number of columns, and
    ``answer[0]`` is the first column, as ``answer["solution"]`` is the one of that name.

    They go where columns go: ``polars.DataFrame(c)``, ``df.with_columns(**c)``, ``df.assign(**c)``,
    ``pandas.DataFrame(c.to_dict())``, and what takes an Arrow stream.
    """

    _fields: tuple[str, ...]
    #: The types of columns, as the engine names them.
    _types: Mapping[str, str] = {}

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, field) for field in self._fields)

    def keys(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._fields

    def __len__(self) -> int:
        """The number of columns. That of rows is the length of a column."""
        return len(self._fields)

    def __getitem__(self, name: str | int | slice) -> Any:
        """A column by its name or its place, or some columns by a slice, as of a tuple of the columns."""
        if not isinstance(name, str):
            return tuple(self)[name]
        if name not in self._fields:
            raise KeyError(f"there is no column {name!r}; one of: {', '.join(self._fields)}")
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        """The columns by their names, in the kind of the records."""
        return {field: getattr(self, field) for field in self._fields}

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table`` of the columns, without those that were not asked for.

        Rows of cells that are numbers become lists of 81. A single record becomes a row.
        """
        return table_of(self.to_dict(), self._types)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The capsule of a stream of rows."""
        return stream_of(self.to_dict(), self._types)

    def __array__(self, *_: Any, **__: Any) -> Any:
        # pandas makes rows of what it can iterate and takes columns from a dict alone.
        name = type(self).__name__
        raise TypeError(f"{name} has columns: take one, or all as a dict with {name}.to_dict()")


class Answers(Columns):
    """Answers to records: an attribute for each column, which is made when it is asked for."""

    def __init__(
        self, kind: Kind, statuses: _engine.Statuses, columns: Mapping[str, Any] | None = None
    ) -> None:
        self._kind = kind
        self._statuses: _engine.Statuses | bytes = statuses
        self.__dict__.update(columns or {})

    @cached_property
    def status(self) -> Any:
        """The statuses, in the kind of the records."""
        # An answer that was copied has them.
        assert not isinstance(self._statuses, bytes)
        return self._kind.statuses(self._statuses)

    def _codes(self) -> bytes:
        """The codes of the statuses."""
        return self._statuses if isinstance(self._statuses, bytes) else bytes(self._statuses.codes())

    def __getstate__(self) -> dict[str, Any]:
        """All columns, for pickle and copy. The records do not go along."""
        state = {**self.__dict__, "status": self.status, "_statuses": self._codes()}
        state.pop("_kind", None)
        own = {name: list_of(column) for name, column in state.items() if name == "_steps" and column is not None}
        return state | own

    def __repr__(self) -> str:
        codes = self._codes()
        if len(codes) <= _FULLY_SHOWN:
            fields = (f"{field}={getattr(self, field)!r}" for field in self._fields)
            return f"{type(self).__name__}({', '.join(fields)})"
        counts = ((codes.count(code), name) for code, name in enumerate(STATUSES))
        statuses = ", ".join(f"{count:,} {name}" for count, name in counts if count)
        nulls = codes.count(255)
        missing = f", {nulls:,} null" if nulls else ""
        names = ", ".join(self._fields)
        return f"<{type(self).__name__} of {len(codes):,} records: {statuses}{missing}; {names}>"


class Rows(Columns):
    """Rows that were made, as columns."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self.__dict__.update(columns)

    def __repr__(self) -> str:
        rows = len(getattr(self, self._fields[0]))
        if rows <= _FULLY_SHOWN:
            fields = (f"{field}={getattr(self, field)!r}" for field in self._fields)
            return f"{type(self).__name__}({', '.join(fields)})"
        return f"<{type(self).__name__} of {rows:,} rows: {', '.join(self._fields)}>"


class AnswersInRows(Answers):
    """Answers with any number of rows for a record: the columns are those of rows, and the status is that of a record."""

    __repr__ = Rows.__repr__


#: The columns of a question and its statuses, as classes of answers take them.
Asked: TypeAlias = tuple[Kind, _engine.Statuses, dict[str, Any]]


#: The definitions of questions, and those of sets.
QUESTIONS, SETS = ([loads(about) for about in of_kind] for of_kind in _engine.definitions())


class Setting(NamedTuple):
    """What a keyword takes."""

    kind: str
    #: The least value of a number.
    least: int | None
    #: The value where it is not given.
    usual: Any

    @classmethod
    def of(cls, option: Mapping[str, Any]) -> Setting:
        """The keyword of an option of a definition."""
        kind, usual = option["kind"], option["usual"] or None
        if kind == "flag":
            usual = usual == "true"
        elif kind == "number" and usual:
            usual = int(usual.replace("k", "000").replace("M", "000000"))
        elif kind == "rating" and usual:
            usual = float(usual)
        return cls(kind, option["least"], usual)

    def text(self, name: str, value: Any) -> str:
        """A value as the engine takes it. TypeError or ValueError: it is none."""
        if self.kind == "flag":
            if type(value).__name__ not in ("bool", "bool_"):
                raise TypeError(f"{name} is True or False, not {value!r} of type {type(value).__name__}")
            return str(bool(value)).lower()
        if self.kind == "number":
            return str(whole(name, value, self.least or 0))
        if self.kind == "digit":
            return str(whole(name, value, 1, 9))
        if self.kind == "range":
            return "..".join("" if end is None else str(end) for end in _ends(name, value))
        return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _ends(name: str, value: Any) -> list[Any]:
    """The one number, or the first and the last, of a range. None is an open end."""
    numbers = list(value) if isinstance(value, Iterable) else [value]
    if isinstance(value, range):
        numbers = [value[0], value[-1]] if value and value.step == 1 else []
    wanted = f"{name} is a number, or the first and the last of a range such as (28, 30), not {value!r:.60}"
    ends = [number for number in numbers if number is not None or len(numbers) == 1]
    if not all(isinstance(number, Real) for number in ends):
        raise TypeError(wanted)
    if not 1 <= len(numbers) <= 2 or not ends:
        raise ValueError(wanted)
    return numbers


#: The keywords of each question and set.
SETTINGS = {
    about["name"]: {option["name"].replace("-", "_"): Setting.of(option) for option in about["options"]}
    for about in QUESTIONS + SETS
}

def texts_of(question: str, settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Settings as the engine takes them. One that is None is not given, and neither is one that is False as usual."""
    known, texts = SETTINGS[question], []
    for name, value in settings.items():
        if value is not None:
            text = known[name].text(name, value)
            if text != "false" or known[name].usual is not False:
                texts.append((name.replace("_", "-"), text))
    return texts


def columns_of(
    question: str,
    records: Any,
    threads: int | None,
    *,
    answers: Any = None,
    beside: str = "answers",
    **settings: Any,
) -> tuple[Kind, _engine.Statuses, dict[str, Any], dict[str, Any]]:
    """Asks a question of the engine by its name. A setting that is None is not given.

    Returns columns in the kind of the records, and as the engine has them.
    """
    kind = kind_of(records)
    given = None if answers is None else kind_of(answers)
    settings[beside] = None if given is None else "true"
    columns, statuses = _engine.ask(
        question, kind.records, texts_of(question, settings), given and given.records, thread_count(threads)
    )
    kinds = {"": kind, "answers": given}
    for_user = {}
    for name, method, column in columns:
        owner, _, method = method.rpartition(".")
        for_user[name] = getattr(kinds[owner], method)(name, column)
    of_engine = {name: column for name, _, column in columns}
    return kind, statuses, for_user | {"_types": types_of(of_engine)}, of_engine


def types_of(columns: Mapping[str, Any]) -> dict[str, str]:
    """The types of the columns that the engine has made: a list is of texts."""
    types = {name: getattr(column, "type", "text" if isinstance(column, list) else None) for name, column in columns.items()}
    return {"status": "text"} | {name: kind for name, kind in types.items() if kind is not None}


def ask(question: str, records: Any, threads: int | None, **settings: Any) -> Asked:
    """Asks a question, for the class of its answers."""
    return columns_of(question, records, threads, **settings)[:3]
