/* Solves a file of lines, 81 cells each, and writes the solutions: the bytes of `sudoku-batch solve`.
 * Then rates the puzzles, and prints the technique of the hardest step of the first few on standard error.
 *
 *     cc app.c $(pkg-config --cflags --libs sudoku_batch) -o app
 *     ./app puzzles.txt >solved.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <sudoku_batch.h>

#define LINE 82 /* 81 cells and a line feed: a file of lines is a batch as it is */

static void check(int code, const sudoku_batch_error *error) {
    if (code != SUDOKU_BATCH_OK) {
        fprintf(stderr, "error %d: %s\n", code, error->message);
        exit(2);
    }
}

static uint8_t *read_file(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(name);
        exit(2);
    }
    *length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length) {
        perror(name);
        exit(2);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc != 2 || sudoku_batch_interface() < SUDOKU_BATCH_INTERFACE) {
        fprintf(stderr, "usage: app PUZZLES, with a library that is as new as the header\n");
        return 2;
    }
    size_t length;
    uint8_t *puzzles = read_file(argv[1], &length);
    size_t count = length / LINE;
    uint8_t *solutions = malloc(count * LINE + 1), *statuses = malloc(count + 1);

    sudoku_batch_error error;
    sudoku_batch_engine *engine;
    check(sudoku_batch_open(NULL, 0, &engine, &error), &error);
    check(sudoku_batch_solve(engine, "{\"unique\": true}", puzzles, count, LINE, solutions, LINE, statuses, &error),
          &error);
    fwrite(solutions, LINE, count, stdout);

    /* Any question, by its name: typed columns. */
    sudoku_batch_table *table;
    check(sudoku_batch_ask(engine, "rate", "{\"up-to\": 4.4}", puzzles, 81, count, LINE, NULL, 0, NULL, &table, &error),
          &error);
    for (size_t number = 0; number < sudoku_batch_table_columns(table); number++) {
        sudoku_batch_column column;
        check(sudoku_batch_table_column(table, number, &column, &error), &error);
        if (column.names_count == 0 || column.name[0] != 't') {
            continue; /* not `technique` */
        }
        for (size_t row = 0; row < column.rows && row < 3; row++) {
            int is_there = !column.valid || column.valid[row / 8] >> row % 8 & 1;
            const uint8_t *places = column.values;
            fprintf(stderr, "%s: %s\n", sudoku_batch_status(statuses[row]),
                    is_there ? column.names[places[row]] : "harder than 4.4");
        }
    }
    sudoku_batch_table_close(table);
    sudoku_batch_close(engine);
    free(puzzles), free(solutions), free(statuses);
    return 0;
}
