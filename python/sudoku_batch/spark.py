"""The same on Apache Spark: columns of a DataFrame, by ``mapInArrow``.

.. code-block:: python

    from sudoku_batch import spark as sbs

    solved = sbs.solve(spark.read.parquet("puzzles"), "puzzle", unique=True)
    solved.write.parquet("solved")

Each function takes a DataFrame and the name of a column of records (string or binary), and
returns the DataFrame with further columns. All columns of the input stay as they are. An
answer depends on its record alone: the rows are the same for any partitioning, any size of
batches, and after any number of failed tasks.

Each task uses one native thread, since Spark runs a task for each core. The package must be
installed where the executors run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import sudoku_batch as sb

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["canonical", "check", "generate", "rate", "solve"]


def solve(
    df: DataFrame,
    puzzle: str,
    *,
    unique: bool = False,
    solution: str = "solution",
    status: str = "status",
) -> DataFrame:
    """Solves the puzzles of a column: adds the columns ``solution`` and ``status``.

    As `sudoku_batch.solve`. ``solution`` and ``status`` name the new columns. Errors: ValueError
    where the column is not there, or a new one is there already.
    """

    def answer(records: pyarrow.Array) -> list[Any]:
        return list(sb.solve(records, unique=unique, threads=1))

    record_type = _type_of(df, puzzle)
    return _with_columns(df, [puzzle], [(solution, record_type), (status, "string")], answer)


def check(
    df: DataFrame, puzzle: str, answer: str | None = None, *, minimal: bool = False
) -> DataFrame:
    """Checks the puzzles of a column, and perhaps the answers of another.

    As `sudoku_batch.check`. Adds its columns: ``status``, ``clue_count``, with ``minimal``
    ``redundant_clues``, and with an answer ``answer_right``, ``wrong_cells`` and
    ``changed_clues``. Errors: ValueError as in `solve`.
    """
    added = [("status", "string"), ("clue_count", "int")]
    if minimal:
        added.append(("redundant_clues", "int"))
    if answer is not None:
        added += [("answer_right", "boolean"), ("wrong_cells", "int"), ("changed_clues", "int")]
    names = [name for name, _ in added]

    def compare(puzzles: pyarrow.Array, answers: pyarrow.Array | None = None) -> list[Any]:
        checked = sb.check(puzzles, answers, minimal=minimal, threads=1)
        return [getattr(checked, name) for name in names]

    records = [puzzle] if answer is None else [puzzle, answer]
    for name in records:
        _type_of(df, name)
    return _with_columns(df, records, added, compare)


def canonical(
    df: DataFrame, record: str, *, canonical: str = "canonical", status: str = "status"
) -> DataFrame:
    """Puts the records of a column into canonical form: adds ``canonical`` and ``status``.

    As `sudoku_batch.canonical`. To drop equivalent records: ``dropDuplicates(["canonical"])``
    on those with a form. Errors: ValueError as in `solve`.
    """

    def answer(records: pyarrow.Array) -> list[Any]:
        forms = sb.canonical(records, threads=1)
        return [forms.canonical, forms.status]

    added = [(canonical, _type_of(df, record)), (status, "string")]
    return _with_columns(df, [record], added, answer)


def rate(
    df: DataFrame,
    puzzle: str,
    *,
    up_to: float | None = None,
    max_work: int | None = None,
    guesses: bool = False,
    te: bool = False,
    gem: bool = False,
) -> DataFrame:
    """Rates the puzzles of a column by the techniques that a person needs.

    As `sudoku_batch.rate`. Adds its columns: ``er``, ``ep``, ``ed``, ``beyond`` and ``technique``,
    with ``guesses`` ``guesses``, ``difficulty``, with ``te`` ``te``, with ``gem`` ``gem``, and ``status``. Errors:
    ValueError as in `solve`.
    """
    added = [(name, "double") for name in ("er", "ep", "ed", "beyond")]
    added.append(("technique", "string"))
    if guesses:
        added.append(("guesses", "bigint"))
    added.append(("difficulty", "string"))
    if te:
        added.append(("te", "string"))
    if gem:
        added.append(("gem", "string"))
    added.append(("status", "string"))
    names = [name for name, _ in added]

    def answer(records: pyarrow.Array) -> list[Any]:
        ratings = sb.rate(
            records, up_to=up_to, max_work=max_work, guesses=guesses, te=te, gem=gem, threads=1
        )
        return [getattr(ratings, name) for name in names]

    _type_of(df, puzzle)
    return _with_columns(df, [puzzle], added, answer)


def generate(
    spark: SparkSession,
    n: int,
    *,
    seed: int = 0,
    start: int = 0,
    uniform: bool = False,
    partitions: int | None = None,
    number: str = "number",
    grid: str = "grid",
) -> DataFrame:
    """Makes solved grids: a row for each number from ``start`` to ``start + n - 1``.

    As `sudoku_batch.generate`. The columns are the number and the grid; ``number`` and
    ``grid`` name them. ``partitions`` is how many parts are made side by side, by default as
    many as Spark has cores. The rows are the same for any number.
    """

    def make(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            numbers = batch.column(0)
            grids = pyarrow.array([], pyarrow.string())
            if len(numbers):
                # Spark makes ranges in order and without gaps.
                first = numbers[0].as_py()
                assert numbers[-1].as_py() - first == len(numbers) - 1
                grids = sb.generate(
                    len(numbers), seed=seed, start=first, uniform=uniform, kind="arrow", threads=1
                )
            yield pyarrow.RecordBatch.from_arrays([numbers, grids], names=[number, grid])

    numbers = spark.range(start, start + n, 1, partitions)
    return numbers.mapInArrow(make, f"`{number}` bigint, `{grid}` string")


def _type_of(df: DataFrame, column: str) -> str:
    """The type of a column of records, as Spark spells it."""
    if column not in df.columns:
        raise ValueError(f"no column is called {column!r}; one of: {', '.join(df.columns)}")
    name: str = df.schema[column].dataType.simpleString()
    if name not in ("string", "binary"):
        raise ValueError(f"the column {column!r} is of type {name}: records are string or binary")
    return name


def _with_columns(
    df: DataFrame,
    records: list[str],
    added: list[tuple[str, str]],
    answer: Callable[..., list[Any]],
) -> DataFrame:
    """The DataFrame with columns that ``answer`` makes of the arrays of some columns.

    ``added`` has the name and the type of each new column.
    """
    from pyspark.sql.types import StructField, StructType, _parse_datatype_string

    names = [name for name, _ in added]
    for name in names:
        if name in df.columns or names.count(name) > 1:
            raise ValueError(f"there is a column {name!r} already: name the new one differently")
    places = [df.columns.index(name) for name in records]
    fields = [StructField(name, _parse_datatype_string(type_)) for name, type_ in added]
    schema = StructType(df.schema.fields + fields)

    def work(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            columns = batch.columns + answer(*(batch.column(place) for place in places))
            yield pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names + names)

    return df.mapInArrow(work, schema)
