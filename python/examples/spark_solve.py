"""Solves a column of puzzles, from Parquet to Parquet, with Spark.

    spark-submit spark_solve.py puzzles.parquet solved.parquet --puzzle-column puzzle --unique

The output has all columns of the input, and `solution` and `status`. `--identity` copies the
rows through Python in place of solving them: this is what the way there and back costs.
"""

import argparse
import time

from pyspark.sql import SparkSession

import sudoku_batch.spark as sbs


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("input", help="a file or folder of Parquet, anywhere Spark can read")
    parser.add_argument("output", help="the folder to write")
    parser.add_argument("--puzzle-column", default="puzzle", help="the column of puzzles [puzzle]")
    parser.add_argument("--unique", action="store_true", help="solve proper puzzles only")
    parser.add_argument("--identity", action="store_true", help="copy, to measure that alone")
    options = parser.parse_args()

    spark = SparkSession.builder.appName("spark_solve").getOrCreate()
    start = time.monotonic()
    puzzles = spark.read.parquet(options.input)
    if options.identity:
        solved = puzzles.mapInArrow(lambda batches: batches, puzzles.schema)
    else:
        solved = sbs.solve(puzzles, options.puzzle_column, unique=options.unique)
    solved.write.parquet(options.output)
    print(f"{time.monotonic() - start:.1f} s")
    spark.stop()


if __name__ == "__main__":
    main()
