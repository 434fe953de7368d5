"""The native half of the package. Its functions are not for users: `sudoku_batch` has theirs."""

from typing import Any, TypeAlias, final

__all__ = [
    "Array",
    "Column",
    "STATUSES",
    "Sets",
    "Statuses",
    "Stream",
    "Template",
    "__version__",
    "ask",
    "definitions",
    "make",
    "npy_head",
    "parse",
    "stats",
    "training_sets",
]

__version__: str

#: The statuses of records. A code is a place in this list.
STATUSES: list[str]

#: A list of str, or an object with `__arrow_c_array__`, `__arrow_c_stream__` or the buffer protocol. One of numbers may
#: come with a byte for each row, which is not 0 where the row is missing.
_Records: TypeAlias = Any

#: Columns: the name of each, the method of a `Kind` that makes of it what the user gets, and the object.
_Named: TypeAlias = list[tuple[str, str, Any]]

@final
class Array:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Column:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def named(self, names: list[str]) -> Column: ...
    def arrays(self) -> list[Array]: ...
    @property
    def type(self) -> str: ...
    def numbers(self) -> bytearray: ...
    def nulls(self) -> bytearray: ...
    def to_list(self) -> list[Any]: ...

@final
class Statuses:
    def __len__(self) -> int: ...
    def names(self) -> Column: ...
    def codes(self) -> bytearray: ...

@final
class Stream:
    def __new__(
        cls, records: _Records, solutions: _Records, seed: int, weights: Any, orders: bytes | None
    ) -> Stream: ...
    def about(self) -> tuple[int, int]: ...
    def pairs(self, first: int, count: int) -> tuple[list[Any], bytearray | None]: ...

@final
class Template:
    def __new__(cls, text: str, columns: list[tuple[str, bool]]) -> Template: ...
    def fill(self, values: list[str]) -> str: ...

@final
class Sets:
    def puzzles(self) -> list[int]: ...
    def counts(self) -> dict[str, int]: ...
    def rows(
        self,
        set: int,
        first: int,
        count: int,
        copies: int,
        seed: int,
        include: list[str],
        number: int | None,
    ) -> tuple[list[list[bytes]], list[int]]: ...

def training_sets(
    records: _Records,
    subsample: int | None,
    test: float,
    given: _Records | None,
    seed: int,
    number_of_threads: int | None,
) -> Sets: ...
def npy_head(has_cells: bool, length: int) -> bytes: ...
def ask(
    question: str,
    records: _Records,
    settings: list[tuple[str, str]],
    answers: _Records | None,
    threads: int | None,
) -> tuple[_Named, Statuses]: ...
def definitions() -> list[list[str]]: ...
def parse(text: str, form: str | None, column: str | None, threads: int | None) -> list[str]: ...
def stats(records: _Records, settings: list[tuple[str, str]], threads: int | None) -> dict[str, Any]: ...
def make(
    set: str,
    settings: list[tuple[str, str]],
    wanted: list[str],
    numbers: tuple[int, int],
    digits: bool,
    threads: int | None,
) -> _Named: ...
