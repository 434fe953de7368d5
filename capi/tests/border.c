/* The promises of the header, seen from C: errors, sizes, views of the same memory, threads, Arrow, signals. It
 * prints nothing, and ends with 1 and a line on standard error if something is not so. scripts/check_capi.sh
 * runs it alone, under valgrind and with the address sanitizer.
 *
 *     border LINES SOLVED       a file of puzzles, and what the command makes of it
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sudoku_batch.h>

#define DEMAND(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))
#define LINE 82
#define CELLS 81
#define SIGNALS 65

static uint8_t *puzzles, *solved;
static size_t count;

static uint8_t *read_file(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    DEMAND(file && fseek(file, 0, SEEK_END) == 0);
    *length = (size_t)ftell(file);
    rewind(file);
    /* To the byte, so that a read beyond the end is seen. */
    uint8_t *bytes = malloc(*length);
    DEMAND(bytes && fread(bytes, 1, *length, file) == *length);
    fclose(file);
    return bytes;
}

static sudoku_batch_engine *engine_of(const char *level, size_t threads) {
    sudoku_batch_engine *engine;
    sudoku_batch_error error;
    DEMAND(sudoku_batch_open(level, threads, &engine, &error) == SUDOKU_BATCH_OK && error.message[0] == 0);
    return engine;
}

/* The error of the call before: its code, and a part of its message. */
static sudoku_batch_error error;
#define FAILS(call, failure, words) \
    (DEMAND((call) == (failure)), DEMAND(error.code == (failure)), DEMAND(strstr(error.message, words)))

static void errors(sudoku_batch_engine *engine) {
    uint8_t out[2 * LINE], status[2];
    uint64_t counts[2];
    int32_t numbers[2];
    sudoku_batch_table *table = (sudoku_batch_table *)out;
    sudoku_batch_engine *none = (sudoku_batch_engine *)out;
    const uint8_t *p = puzzles;
    const size_t huge = (size_t)-1;

    FAILS(sudoku_batch_open(NULL, 1, NULL, &error), SUDOKU_BATCH_NULL, "engine");
    FAILS(sudoku_batch_open("sse9", 1, &none, &error), SUDOKU_BATCH_OPTION, "sse9");
    DEMAND(none == NULL);
    FAILS(sudoku_batch_open("\xff", 1, &none, &error), SUDOKU_BATCH_OPTION, "UTF-8");
    sudoku_batch_close(NULL), sudoku_batch_stop(NULL, 1), sudoku_batch_table_close(NULL);
    DEMAND(sudoku_batch_table_rows(NULL) == 0 && sudoku_batch_table_columns(NULL) == 0);

    /* Null, with and without room for the error. */
    FAILS(sudoku_batch_solve(NULL, NULL, p, 2, LINE, out, LINE, status, &error), SUDOKU_BATCH_NULL, "engine");
    FAILS(sudoku_batch_solve(engine, NULL, NULL, 2, LINE, out, LINE, status, &error), SUDOKU_BATCH_NULL, "records");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, LINE, NULL, LINE, status, &error), SUDOKU_BATCH_NULL, "solutions");
    DEMAND(sudoku_batch_solve(engine, NULL, p, 2, LINE, NULL, LINE, status, NULL) == SUDOKU_BATCH_NULL);
    FAILS(sudoku_batch_count(engine, NULL, p, 2, LINE, NULL, NULL, NULL, &error), SUDOKU_BATCH_NULL, "counts");
    FAILS(sudoku_batch_check(engine, NULL, p, 2, LINE, NULL, NULL, NULL, &error), SUDOKU_BATCH_NULL, "clues");
    FAILS(sudoku_batch_canonical(engine, NULL, p, 2, LINE, NULL, LINE, NULL, &error), SUDOKU_BATCH_NULL, "forms");
    FAILS(sudoku_batch_rate(engine, NULL, p, 2, LINE, NULL, 3, NULL, &error), SUDOKU_BATCH_NULL, "ratings");
    FAILS(sudoku_batch_generate(engine, NULL, 0, 2, NULL, LINE, &error), SUDOKU_BATCH_NULL, "grids");
    FAILS(sudoku_batch_puzzles(engine, NULL, 0, 2, NULL, &error), SUDOKU_BATCH_NULL, "table");
    FAILS(sudoku_batch_ask(engine, NULL, NULL, p, CELLS, 2, LINE, NULL, 0, NULL, &table, &error), SUDOKU_BATCH_NULL, "question");
    DEMAND(table == NULL);
    FAILS(sudoku_batch_table_column(NULL, 0, NULL, &error), SUDOKU_BATCH_NULL, "table");
    FAILS(sudoku_batch_table_export(NULL, NULL, NULL, &error), SUDOKU_BATCH_NULL, "table");

    /* Sizes. */
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, 0, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "stride");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, 80, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "stride");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, LINE, out, 80, NULL, &error), SUDOKU_BATCH_SIZE, "solutions");
    FAILS(sudoku_batch_solve(engine, NULL, p, huge, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "memory");
    FAILS(sudoku_batch_solve(engine, NULL, p, huge / 2, CELLS, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "memory");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, huge, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "memory");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, LINE, out, huge / 2 + 2, NULL, &error), SUDOKU_BATCH_SIZE, "memory");
    FAILS(sudoku_batch_count(engine, NULL, p, huge / 81, CELLS, counts, NULL, NULL, &error), SUDOKU_BATCH_SIZE, "memory");
    FAILS(sudoku_batch_rate(engine, NULL, p, 2, LINE, out, 2, NULL, &error), SUDOKU_BATCH_SIZE, "ratings");
    FAILS(sudoku_batch_ask(engine, "solve", NULL, p, 80, 2, LINE, NULL, 0, NULL, &table, &error), SUDOKU_BATCH_SIZE, "80");
    FAILS(sudoku_batch_ask(engine, "solve", NULL, p, 729, 2, LINE, NULL, 0, NULL, &table, &error), SUDOKU_BATCH_SIZE, "stride");
    FAILS(sudoku_batch_ask(engine, "check", NULL, p, CELLS, 2, LINE, solved, 3, NULL, &table, &error), SUDOKU_BATCH_SIZE, "answers");

    /* Outputs that would be written over. */
    FAILS(sudoku_batch_solve(engine, NULL, out, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_SIZE, "overlap");
    FAILS(sudoku_batch_solve(engine, NULL, p, 2, LINE, out, LINE, out + CELLS, &error), SUDOKU_BATCH_SIZE, "overlap");
    FAILS(sudoku_batch_count(engine, NULL, p, 2, LINE, counts, (uint8_t *)counts, NULL, &error), SUDOKU_BATCH_SIZE, "overlap");

    /* Options. */
    FAILS(sudoku_batch_solve(engine, "{", p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "JSON");
    FAILS(sudoku_batch_solve(engine, "[1]", p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "object");
    FAILS(sudoku_batch_solve(engine, "\xff", p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "UTF-8");
    FAILS(sudoku_batch_solve(engine, "{\"limit\": 1}", p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "limit");
    FAILS(sudoku_batch_solve(engine, "{\"simd\": \"avx2\"}", p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "command");
    FAILS(sudoku_batch_count(engine, "{\"limit\": -1}", p, 2, LINE, counts, NULL, NULL, &error), SUDOKU_BATCH_OPTION, "limit");
    FAILS(sudoku_batch_count(engine, "{\"limit\": {}}", p, 2, LINE, counts, NULL, NULL, &error), SUDOKU_BATCH_OPTION, "limit");
    FAILS(sudoku_batch_check(engine, "{\"answers\": true}", p, 2, LINE, numbers, NULL, NULL, &error), SUDOKU_BATCH_OPTION, "answers");
    FAILS(sudoku_batch_rate(engine, "{\"up-to\": 99}", p, 2, LINE, out, 3, NULL, &error), SUDOKU_BATCH_OPTION, "up-to");
    FAILS(sudoku_batch_generate(engine, "{\"first-digit\": 0}", 0, 2, out, CELLS, &error), SUDOKU_BATCH_OPTION, "digit");
    FAILS(sudoku_batch_generate(engine, "{\"in-order\": true, \"seed\": 1}", 0, 2, out, CELLS, &error), SUDOKU_BATCH_OPTION, "cannot be used with seed");
    FAILS(sudoku_batch_generate(engine, NULL, (uint64_t)-1, 2, out, CELLS, &error), SUDOKU_BATCH_OPTION, "there are");
    FAILS(sudoku_batch_puzzles(engine, "{\"clues\": 3}", 0, 2, &table, &error), SUDOKU_BATCH_OPTION, "17");
    FAILS(sudoku_batch_puzzles(engine, "{\"clue\": 30}", 0, 2, &table, &error), SUDOKU_BATCH_OPTION, "clue");
    FAILS(sudoku_batch_ask(engine, "guess", NULL, p, CELLS, 2, LINE, NULL, 0, NULL, &table, &error), SUDOKU_BATCH_OPTION, "solve");
    FAILS(sudoku_batch_ask(engine, "solve", NULL, p, CELLS, 2, LINE, p, LINE, NULL, &table, &error), SUDOKU_BATCH_OPTION, "answers");
    FAILS(sudoku_batch_ask(engine, "rank", "{\"in_order\": true, \"seed\": 1}", p, CELLS, 2, LINE, NULL, 0, NULL, &table, &error), SUDOKU_BATCH_OPTION, "cannot be used with seed");
    DEMAND(table == NULL);
    /* A message that is too long ends early, with a whole character. */
    char options[4096];
    memset(options, 0, sizeof options), strcpy(options, "{\"");
    while (strlen(options) < 2000) strcat(options, "é");
    strcat(options, "\": 1}");
    FAILS(sudoku_batch_solve(engine, options, p, 2, LINE, out, LINE, NULL, &error), SUDOKU_BATCH_OPTION, "é");
    DEMAND(strlen(error.message) >= SUDOKU_BATCH_MESSAGE - 3 && strlen(error.message) < SUDOKU_BATCH_MESSAGE);

    /* Nothing to do is done, whatever the pointers. */
    DEMAND(sudoku_batch_solve(engine, NULL, NULL, 0, CELLS, NULL, CELLS, NULL, &error) == SUDOKU_BATCH_OK);
    /* Without records no stride is too small. */
    DEMAND(sudoku_batch_solve(engine, NULL, NULL, 0, 0, NULL, 0, NULL, &error) == SUDOKU_BATCH_OK);
    DEMAND(sudoku_batch_solve(engine, NULL, p, 0, 80, out, 1, status, &error) == SUDOKU_BATCH_OK);
    DEMAND(sudoku_batch_generate(engine, NULL, 0, 0, NULL, 0, &error) == SUDOKU_BATCH_OK);
    DEMAND(sudoku_batch_generate(engine, NULL, 0, 0, NULL, CELLS, &error) == SUDOKU_BATCH_OK);
    DEMAND(sudoku_batch_ask(engine, "rate", "", NULL, CELLS, 0, CELLS, NULL, 0, NULL, &table, &error) == SUDOKU_BATCH_OK);
    DEMAND(sudoku_batch_table_rows(table) == 0 && sudoku_batch_table_columns(table) > 5);
    sudoku_batch_column column;
    FAILS(sudoku_batch_table_column(table, 99, &column, &error), SUDOKU_BATCH_SIZE, "99");
    FAILS(sudoku_batch_table_column(table, 0, NULL, &error), SUDOKU_BATCH_NULL, "column");
    FAILS(sudoku_batch_table_export(table, NULL, NULL, &error), SUDOKU_BATCH_NULL, "schema");
    sudoku_batch_table_close(table);
    DEMAND(sudoku_batch_status(SUDOKU_BATCH_VALID + 1) == NULL && strcmp(sudoku_batch_status(SUDOKU_BATCH_VALID), "valid") == 0);
}

/* Solutions do not depend on how the memory of the caller lies. */
static void strides(sudoku_batch_engine *engine) {
    struct both {
        uint8_t puzzle[CELLS], status, solution[CELLS], kept;
    } *all = malloc(count * sizeof *all);
    uint8_t *packed = malloc(count * CELLS), *out = malloc(count * CELLS), *lines = malloc(count * LINE);
    for (size_t i = 0; i < count; i++) {
        memcpy(all[i].puzzle, puzzles + LINE * i, CELLS), all[i].kept = 7;
        memcpy(packed + CELLS * i, puzzles + LINE * i, CELLS);
    }
    DEMAND(sudoku_batch_solve(engine, NULL, all[0].puzzle, count, sizeof *all, all[0].solution, sizeof *all, NULL, &error) == 0);
    DEMAND(sudoku_batch_solve(engine, NULL, packed, count, CELLS, out, CELLS, NULL, &error) == 0);
    DEMAND(sudoku_batch_solve(engine, NULL, packed, count, CELLS, lines, LINE, NULL, &error) == 0);
    DEMAND(memcmp(lines, solved, count * LINE) == 0);
    for (size_t i = 0; i < count; i++) {
        DEMAND(memcmp(all[i].puzzle, puzzles + LINE * i, CELLS) == 0 && all[i].kept == 7);
        DEMAND(memcmp(all[i].solution, solved + LINE * i, CELLS) == 0);
        DEMAND(memcmp(out + CELLS * i, solved + LINE * i, CELLS) == 0);
    }
    free(all), free(packed), free(out), free(lines);
}

/* Records of all kinds, through several fast calls. */
static void kinds(sudoku_batch_engine *engine) {
    uint8_t records[6][CELLS];
    memset(records, '.', sizeof records);
    memcpy(records[0], puzzles, CELLS);
    records[2][5] = '!', records[3][0] = records[3][1] = '1', records[4][0] = 0;
    memcpy(records[5], solved, CELLS);
    uint8_t out[6][CELLS], statuses[6], more[6], ratings[6][4];
    const uint8_t expected[] = {SUDOKU_BATCH_UNIQUE,        SUDOKU_BATCH_MULTIPLE,  SUDOKU_BATCH_MALFORMED,
                                SUDOKU_BATCH_ROW_DUPLICATE, SUDOKU_BATCH_MALFORMED, SUDOKU_BATCH_UNIQUE};
    DEMAND(sudoku_batch_solve(engine, NULL, records[0], 6, CELLS, out[0], CELLS, statuses, &error) == 0);
    DEMAND(memcmp(statuses, expected, 6) == 0);
    DEMAND(memcmp(out[0], solved, CELLS) == 0 && memcmp(out[1], "123456789456789123", 18) == 0);
    for (size_t i = 0; i < CELLS; i++) DEMAND(out[2][i] == '.' && out[3][i] == '.' && out[4][i] == '.');

    uint64_t counts[6];
    DEMAND(sudoku_batch_count(engine, "{\"limit\": 5}", records[0], 6, CELLS, counts, more, statuses, &error) == 0);
    const uint64_t numbers[] = {1, 5, 0, 0, 0, 1};
    DEMAND(memcmp(counts, numbers, sizeof counts) == 0 && memcmp(more, "\0\1\0\0\0\0", 6) == 0);
    DEMAND(memcmp(statuses, expected, 6) == 0);

    int32_t clues[6], redundant[6];
    DEMAND(sudoku_batch_check(engine, NULL, records[0], 6, CELLS, clues, redundant, statuses, &error) == 0);
    DEMAND(clues[1] == 0 && clues[2] == -1 && clues[3] == 2 && clues[5] == 81);
    DEMAND(redundant[5] == 81 && redundant[1] == -1 && redundant[0] >= 0);

    memset(ratings, 99, sizeof ratings);
    DEMAND(sudoku_batch_rate(engine, "{\"up_to\": 4.4}", records[0], 6, CELLS, ratings[0], 4, statuses, &error) == 0);
    DEMAND(ratings[0][0] <= 44 && ratings[1][0] == 0 && ratings[2][1] == 0 && ratings[5][3] == 99);
    DEMAND(memcmp(statuses, expected, 6) == 0);

    DEMAND(sudoku_batch_canonical(engine, NULL, records[0], 6, CELLS, out[0], CELLS, NULL, &error) == 0);
    DEMAND(memcmp(out[5], "1234567894", 10) == 0 && out[1][0] == '.');
}

/* Reads an array by the rules of the interface alone: values of text, names, numbers and bits. */
static int bit(const void *bits, int64_t row) { return ((const uint8_t *)bits)[row / 8] >> row % 8 & 1; }

static int has(const struct ArrowArray *array, int64_t row) {
    return !array->buffers[0] || bit(array->buffers[0], array->offset + row);
}

static void text_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t row, char *out) {
    row += array->offset;
    if (schema->dictionary) {
        DEMAND(strcmp(schema->format, "C") == 0 && strcmp(schema->dictionary->format, "u") == 0);
        const int32_t *offsets = array->dictionary->buffers[1];
        int64_t place = ((const uint8_t *)array->buffers[1])[row];
        DEMAND(place < array->dictionary->length);
        size_t length = (size_t)(offsets[place + 1] - offsets[place]);
        memcpy(out, (const char *)array->dictionary->buffers[2] + offsets[place], length), out[length] = 0;
    } else if (schema->format[0] == 'U') {
        const int64_t *offsets = array->buffers[1];
        size_t length = (size_t)(offsets[row + 1] - offsets[row]);
        memcpy(out, (const char *)array->buffers[2] + offsets[row], length), out[length] = 0;
    } else if (schema->format[0] == 'L') {
        sprintf(out, "%llu", (unsigned long long)((const uint64_t *)array->buffers[1])[row]);
    } else if (schema->format[0] == 'g') {
        sprintf(out, "%.1f", ((const double *)array->buffers[1])[row]);
    } else {
        DEMAND(strcmp(schema->format, "b") == 0);
        strcpy(out, bit(array->buffers[1], row) ? "true" : "false");
    }
}

static void arrow(sudoku_batch_engine *engine) {
    const char *questions[] = {"solve", "check", "count", "canonical", "expand", "rate"};
    for (size_t q = 0; q < 6; q++) {
        sudoku_batch_table *table;
        struct ArrowSchema schema;
        struct ArrowArray array;
        DEMAND(sudoku_batch_ask(engine, questions[q], NULL, puzzles, CELLS, count, LINE, NULL, 0, NULL, &table, &error) == 0);
        DEMAND(sudoku_batch_table_rows(table) == count);
        DEMAND(sudoku_batch_table_export(table, &schema, &array, &error) == 0);
        DEMAND(strcmp(schema.format, "+s") == 0 && array.length == (int64_t)count && array.n_buffers == 1);
        DEMAND(schema.n_children == array.n_children && (size_t)array.n_children == sudoku_batch_table_columns(table));
        DEMAND(strcmp(schema.children[0]->name, "record") == 0);
        /* The plain pointers lead to the same values. */
        for (int64_t c = 0; c < array.n_children; c++) {
            sudoku_batch_column column;
            const struct ArrowArray *child = array.children[c];
            DEMAND(sudoku_batch_table_column(table, (size_t)c, &column, &error) == 0);
            DEMAND(strcmp(column.name, schema.children[c]->name) == 0 && strcmp(column.format, schema.children[c]->format) == 0);
            DEMAND(column.values == child->buffers[child->n_buffers - 1] && column.valid == child->buffers[0]);
            DEMAND(column.rows == (uint64_t)child->length && column.nulls == (uint64_t)child->null_count);
            int64_t nulls = 0;
            for (int64_t row = 0; row < child->length; row++) nulls += !has(child, row);
            DEMAND(nulls == child->null_count);
            char text[1024];
            for (int64_t row = 0; row < child->length; row++) {
                if (!has(child, row)) continue;
                text_of(schema.children[c], child, row, text);
                if (c == 0) DEMAND(strtoll(text, NULL, 10) == row);
                if (strcmp(column.name, "solution") == 0) DEMAND(memcmp(text, solved + LINE * row, CELLS) == 0);
                if (column.names) DEMAND(strcmp(text, column.names[((const uint8_t *)column.values)[row]]) == 0);
            }
        }
        /* A child that is moved out lives longer than its parent, and both longer than the table. */
        struct ArrowArray child = *array.children[1];
        array.children[1]->release = NULL;
        struct ArrowSchema type = *schema.children[1];
        schema.children[1]->release = NULL;
        sudoku_batch_table_close(table);
        array.release(&array), schema.release(&schema);
        DEMAND(!array.release && !schema.release);
        char text[1024];
        for (int64_t row = 0; row < child.length; row++)
            if (has(&child, row)) text_of(&type, &child, row, text);
        child.release(&child), type.release(&type);
        DEMAND(!child.release && !type.release);
    }
}

/* Ten threads at once, with one engine, or with one of their own. */
struct job {
    sudoku_batch_engine *engine;
    size_t number;
};

static void *work(void *argument) {
    struct job *job = argument;
    sudoku_batch_engine *own = job->engine ? NULL : engine_of(NULL, job->number % 3 + 1);
    sudoku_batch_engine *engine = own ? own : job->engine;
    uint8_t *lines = malloc(count * LINE);
    for (size_t round = 0; round < 5; round++) {
        sudoku_batch_error of_thread;
        size_t first = (job->number + round) * 7 % count, rows = count - first;
        DEMAND(sudoku_batch_solve(engine, NULL, puzzles + LINE * first, rows, LINE, lines, LINE, NULL, &of_thread) == 0);
        DEMAND(memcmp(lines, solved + LINE * first, rows * LINE) == 0);
        /* An error of one thread is none of another. */
        DEMAND(sudoku_batch_solve(engine, "{\"x\": 1}", puzzles, 1, LINE, lines, LINE, NULL, &of_thread) == SUDOKU_BATCH_OPTION);
        DEMAND(strstr(of_thread.message, "x"));
        uint8_t ratings[3];
        DEMAND(sudoku_batch_rate(engine, "{\"up-to\": 4.4}", puzzles, 1, LINE, ratings, 3, NULL, &of_thread) == 0);
    }
    free(lines);
    sudoku_batch_close(own);
    return NULL;
}

static void threads(sudoku_batch_engine *engine) {
    for (int shares = 0; shares < 2; shares++) {
        pthread_t all[10];
        struct job jobs[10];
        for (size_t i = 0; i < 10; i++) {
            jobs[i].engine = shares ? engine : NULL, jobs[i].number = i;
            DEMAND(pthread_create(&all[i], NULL, work, &jobs[i]) == 0);
        }
        for (size_t i = 0; i < 10; i++) DEMAND(pthread_join(all[i], NULL) == 0);
    }
}

/* A call without end, and the end that another thread gives it. */
static void *stop(void *engine) {
    struct timespec wait = {0, 50000000};
    nanosleep(&wait, NULL);
    sudoku_batch_stop(engine, 1);
    return NULL;
}

static void stopping(sudoku_batch_engine *engine) {
    uint8_t blank[CELLS], statuses[1];
    uint64_t counts[1];
    pthread_t thread;
    memset(blank, '.', CELLS);
    DEMAND(pthread_create(&thread, NULL, stop, engine) == 0);
    FAILS(sudoku_batch_count(engine, "{\"limit\": 0}", blank, 1, CELLS, counts, NULL, statuses, &error), SUDOKU_BATCH_STOPPED, "stopped");
    DEMAND(pthread_join(thread, NULL) == 0);
    FAILS(sudoku_batch_count(engine, NULL, blank, 1, CELLS, counts, NULL, NULL, &error), SUDOKU_BATCH_STOPPED, "stopped");
    sudoku_batch_stop(engine, 0);
    DEMAND(sudoku_batch_count(engine, "{\"limit\": 9}", blank, 1, CELLS, counts, NULL, NULL, &error) == 0 && counts[0] == 9);
}

/* Item i is made from the options and i alone, on any number of threads. */
static void made(sudoku_batch_engine *engine) {
    sudoku_batch_engine *other = engine_of("portable", 1);
    uint8_t some[20][CELLS], one[LINE];
    DEMAND(sudoku_batch_generate(engine, "{\"seed\": 7}", 1000, 20, some[0], CELLS, &error) == 0);
    for (uint64_t i = 0; i < 20; i++) {
        DEMAND(sudoku_batch_generate(other, "{\"seed\": 7}", 1000 + i, 1, one, LINE, &error) == 0);
        DEMAND(memcmp(one, some[i], CELLS) == 0 && one[CELLS] == '\n');
    }
    sudoku_batch_table *all, *second;
    sudoku_batch_column a, b;
    DEMAND(sudoku_batch_puzzles(engine, "{\"seed\": 7, \"clues\": [28, 30]}", 5, 12, &all, &error) == 0);
    DEMAND(sudoku_batch_puzzles(other, "{\"seed\": 7, \"clues\": \"28..30\"}", 9, 3, &second, &error) == 0);
    DEMAND(sudoku_batch_table_rows(all) == 12 && sudoku_batch_table_rows(second) == 3);
    for (size_t c = 0; c < sudoku_batch_table_columns(all); c++) {
        DEMAND(sudoku_batch_table_column(all, c, &a, &error) == 0 && sudoku_batch_table_column(second, c, &b, &error) == 0);
        size_t width = a.format[0] == 'U' ? CELLS : 8;
        DEMAND(memcmp((const uint8_t *)a.values + 4 * width, b.values, 3 * width) == 0);
    }
    sudoku_batch_table_close(all), sudoku_batch_table_close(second), sudoku_batch_close(other);
}

int main(int argc, char **argv) {
    struct sigaction before[SIGNALS], after;
    for (int s = 1; s < SIGNALS; s++) sigaction(s, NULL, &before[s]);
    size_t length, of_solved;
    DEMAND(argc == 3);
    puzzles = read_file(argv[1], &length), solved = read_file(argv[2], &of_solved);
    count = length / LINE;
    DEMAND(count > 1 && length == count * LINE && of_solved == length);
    DEMAND(sudoku_batch_interface() == SUDOKU_BATCH_INTERFACE);
    DEMAND(strchr(sudoku_batch_version(), '.') && strstr(sudoku_batch_questions(), "\"solve\""));
    for (size_t n = 1; n < 4; n++) {
        sudoku_batch_engine *engine = engine_of(n == 3 ? "portable" : NULL, n);
        errors(engine), strides(engine), kinds(engine), arrow(engine), stopping(engine), made(engine);
        if (n == 2) threads(engine);
        sudoku_batch_close(engine);
    }
    for (int s = 1; s < SIGNALS; s++) {
        int known = sigaction(s, NULL, &after) == 0;
        DEMAND(!known || (after.sa_handler == before[s].sa_handler && after.sa_flags == before[s].sa_flags));
    }
    free(puzzles), free(solved);
    return 0;
}
