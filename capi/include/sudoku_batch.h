/* sudoku-batch for C, and for each language that calls C: solves, checks, rates and makes Sudoku in bulk.
 *
 * This file is made by scripts/capi.sh from the sources. docs/c.md has examples and figures.
 *
 * RECORDS. `records` leads to `count` records of 81 characters, `stride` bytes from the first of one to the first
 * of the next: 1 to 9 for a clue, and any of . 0 * _ - ? x X for a blank. Anything else is a malformed record,
 * which is no error: it has the status SUDOKU_BATCH_MALFORMED. What lies between records is not read, so a file
 * of lines is a batch with a stride of 82.
 *
 * OUTPUTS belong to the caller, who has room for `count` values. One that may be null is left out then. Outputs
 * must not overlap each other or the records, but rows of one stride may alternate, as members of a struct do.
 * `statuses` gets a byte for each record, one of the codes below, and may be null. With a count of 0 nothing is
 * read or written, and pointers to records and outputs may be null.
 *
 * OPTIONS are a JSON object, such as {"limit": 10, "difficulty": true}, or null for none. Each function takes the
 * options that sudoku_batch_questions() lists for its question.
 *
 * ERRORS. A function that returns int gives 0, or a code of an error. `error` is null or leads to room for the
 * code and a message, which the caller keeps as long as he wants: there is no last error that another call or
 * another thread could change. After an error the outputs have no meaning. No function prints, changes how
 * signals are handled, or ends the program; only if the system has no more memory, Rust ends it.
 *
 * THREADS. Threads may call all functions at the same time, also with the same engine or table, but for those that
 * close it. A call starts threads of its own, and they are gone when it returns, so a program may fork between
 * calls. Same records and options, same bytes: for any level, number of threads, and stride.
 */


#ifndef SUDOKU_BATCH_H
#define SUDOKU_BATCH_H


#include <stddef.h>
#include <stdint.h>

/* The Arrow C data interface, as its specification defines it: https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

// Exactly one solution.
#define SUDOKU_BATCH_UNIQUE 0

// Several solutions.
#define SUDOKU_BATCH_MULTIPLE 1

// The record is not 81 cells.
#define SUDOKU_BATCH_MALFORMED 2

// No solution: a digit stands twice in a row.
#define SUDOKU_BATCH_ROW_DUPLICATE 3

// No solution: a digit stands twice in a column.
#define SUDOKU_BATCH_COLUMN_DUPLICATE 4

// No solution: a digit stands twice in a box.
#define SUDOKU_BATCH_BOX_DUPLICATE 5

// No solution, which takes a search to see.
#define SUDOKU_BATCH_NO_SOLUTION 6

// The limit of guesses or of work ended the search.
#define SUDOKU_BATCH_GAVE_UP 7

// A valid grid, where records are checked as solved grids.
#define SUDOKU_BATCH_VALID 8

// The number of bytes of a message, with the zero behind it.
#define SUDOKU_BATCH_MESSAGE 508

// The call did what it is for.
#define SUDOKU_BATCH_OK 0

// A pointer is null that must not be.
#define SUDOKU_BATCH_NULL 1

// A size is wrong: a stride is smaller than what it steps over, memory would not fit into the address
// space, outputs overlap each other or the records, or there is no such column.
#define SUDOKU_BATCH_SIZE 2

// A question, an option or the value of an option is not known, or two options contradict each other.
#define SUDOKU_BATCH_OPTION 3

// `sudoku_batch_stop` ended the call.
#define SUDOKU_BATCH_STOPPED 4

// The library has a defect. The message names its place: please report it.
#define SUDOKU_BATCH_DEFECT 5

// The version of the interface. It grows with each function, option or column that is added; what is there
// stays as long as the name of the shared library does (`libsudoku_batch.so.0.1`).
#define SUDOKU_BATCH_INTERFACE 1

// Solves, rates and makes, on some threads. Several threads may use one at the same time.
typedef struct sudoku_batch_engine sudoku_batch_engine;

// The columns of an answer. Nothing changes it, so threads may share it.
typedef struct sudoku_batch_table sudoku_batch_table;

// The error of a call. It belongs to the caller, and so does its memory: the message stays as long as
// the caller wants, and each thread has its own.
typedef struct {
    // 0, or one of the codes from SUDOKU_BATCH_NULL on.
    int code;
    // The message for people: UTF-8 with a zero at its end. What does not fit is left out.
    char message[SUDOKU_BATCH_MESSAGE];
} sudoku_batch_error;

// A column of a table. All pointers stay as long as the table.
typedef struct {
    // Its name, such as "solution".
    const char *name;
    // The type of `values`, in the words of Arrow: "L" (`uint64_t`), "g" (`double`), "U" (text), "C" (`uint8_t`, a
    // place in `names`), "b" (a bit for each row, the lowest first), "w:162" (162 bytes for each row),
    // "w:1458" (729 numbers of the type `int16_t` for each row).
    const char *format;
    // The number of rows.
    uint64_t rows;
    // The number of rows without a value.
    uint64_t nulls;
    // A bit for each row, the lowest first: 1 if it has a value. Null if all have one.
    const uint8_t *valid;
    // For text: row i is the bytes of `values` from `offsets[i]` to `offsets[i + 1]`. Cells have 81 bytes in
    // each row, dots where there is nothing, so that row i begins at 81 * i (only canonical forms and the like of
    // records that are given by candidates have 729). Null for other formats.
    const int64_t *offsets;
    // The values.
    const void *values;
    // For "C": the names, each a text. Null for other formats.
    const char *const *names;
    // The number of names.
    uint64_t names_count;
} sudoku_batch_column;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface that the library has: compare it with `SUDOKU_BATCH_INTERFACE` of the header
// that a program was compiled with. A library with a smaller number lacks something.
uint32_t sudoku_batch_interface(void);

// The version of the library, such as "0.1.0". The text stays for ever.
const char *sudoku_batch_version(void);

// A list as JSON: `questions` (for each its name, what it is about, its `options` and its `columns`), `sets`
// (the same for `sudoku_batch_generate` and `sudoku_batch_puzzles`), `statuses` (their names, in the order of
// the codes), and the `levels` of this CPU. The text stays for ever.
const char *sudoku_batch_questions(void);

// The name of a status, such as "unique", or null for a code that no status has. The text stays for ever.
const char *sudoku_batch_status(uint8_t code);

// Opens an engine. `level` is the name of an instruction set ("portable", "avx2", "avx512", "neon"), or null
// for the best that the CPU has. `threads` is the number of threads of each call, that of the caller among
// them; 0 is one for each core. Answers are the same bytes for any level and any number of threads.
//
// Threads may share an engine: calls at the same time do not wait for each other, and each has its own
// threads. Or each thread may have an engine of its own. An engine keeps the memory of its solvers from call
// to call, so keep it.
//
// # Safety
//
// `level` is null or a text; `engine` is null or has room for a pointer; `error` is null or has room.
int sudoku_batch_open(const char *level,
                      size_t threads,
                      sudoku_batch_engine **engine,
                      sudoku_batch_error *error);

// Closes an engine, which no call may use then or later. Null is no engine, and closes nothing. Tables stay.
//
// # Safety
//
// `engine` is null, or it is from `sudoku_batch_open`, is not closed yet, and no call uses it.
void sudoku_batch_close(sudoku_batch_engine *engine);

// Ends all calls of an engine soon, those that run and those to come, with `SUDOKU_BATCH_STOPPED`, as long as
// `is_stopped` is not 0. Any thread may call it, and a handler of signals too. Outputs of calls that end this
// way have no meaning. Null is no engine, and does nothing.
//
// # Safety
//
// `engine` is null or open.
void sudoku_batch_stop(const sudoku_batch_engine *engine, int is_stopped);

// Solves records. Each gets its only solution, or the smallest of several, the texts of solutions compared as
// texts; 81 dots if there is none. With the option `"unique": true` a record with several has none.
//
// With a `solutions_stride` of 82 there is a line feed behind each solution, also the last: the bytes that
// the command writes, and the fastest way. With any other stride the bytes between solutions stay as they are.
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_solve(const sudoku_batch_engine *engine,
                       const char *options,
                       const uint8_t *records,
                       size_t count,
                       size_t stride,
                       uint8_t *solutions,
                       size_t solutions_stride,
                       uint8_t *statuses,
                       sudoku_batch_error *error);

// Counts the solutions of records, up to the option `"limit"` (1,000,000; 0 is all of them). `counts` gets a
// number for each, 0 if the record is malformed. `more`, if it is not null, gets a 1 for each record that has
// more, otherwise a 0.
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_count(const sudoku_batch_engine *engine,
                       const char *options,
                       const uint8_t *records,
                       size_t count,
                       size_t stride,
                       uint64_t *counts,
                       uint8_t *more,
                       uint8_t *statuses,
                       sudoku_batch_error *error);

// Checks records: `clues` gets the number of clues of each. `redundant`, if it is not null, gets the number of
// clues that can each be left out, of a record with one solution: it is minimal if that is 0. A number that
// does not apply is -1. (To compare answers with puzzles, see `sudoku_batch_ask`.)
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_check(const sudoku_batch_engine *engine,
                       const char *options,
                       const uint8_t *records,
                       size_t count,
                       size_t stride,
                       int32_t *clues,
                       int32_t *redundant,
                       uint8_t *statuses,
                       sudoku_batch_error *error);

// Puts records into canonical form: equal forms for records that are images of each other by the symmetries of
// Sudoku. 81 dots for a record that has not exactly one solution. `forms_stride` as in `sudoku_batch_solve`.
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_canonical(const sudoku_batch_engine *engine,
                           const char *options,
                           const uint8_t *records,
                           size_t count,
                           size_t stride,
                           uint8_t *forms,
                           size_t forms_stride,
                           uint8_t *statuses,
                           sudoku_batch_error *error);

// Rates records as Sudoku Explainer does. `ratings` gets three bytes for each, `ratings_stride` bytes apart:
// ER, EP and ED in tenths, so that 26 is 2.6; 0 where there is none. The option `"up-to": 4.4` looks for
// nothing harder, and is faster. (For techniques and difficulties, see `sudoku_batch_ask`.)
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_rate(const sudoku_batch_engine *engine,
                      const char *options,
                      const uint8_t *records,
                      size_t count,
                      size_t stride,
                      uint8_t *ratings,
                      size_t ratings_stride,
                      uint8_t *statuses,
                      sudoku_batch_error *error);

// Makes solved grids: those with the numbers from `first` on, all different. Grid i depends on the options and
// on i alone. `"seed"` picks the order, `"uniform": true` gives independent samples of all grids.
// `grids_stride` as in `sudoku_batch_solve`.
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile.
int sudoku_batch_generate(const sudoku_batch_engine *engine,
                          const char *options,
                          uint64_t first,
                          size_t count,
                          uint8_t *grids,
                          size_t grids_stride,
                          sudoku_batch_error *error);

// Makes puzzles: those with the numbers from `first` on, as rows of a table with the columns `index`, `puzzle`,
// `solution`, `clues` and what the options add. Puzzle i depends on the options and on i alone; one that
// cannot be made has no row. `sudoku_batch_questions` lists the options, such as `{"seed": 7, "clues": 30}`.
//
// # Safety
//
// See the head of the header; `table` has room for a pointer.
int sudoku_batch_puzzles(const sudoku_batch_engine *engine,
                         const char *options,
                         uint64_t first,
                         size_t count,
                         sudoku_batch_table **table,
                         sudoku_batch_error *error);

// Asks any question that `sudoku_batch_questions` lists, by its name: all columns of its answer, as a table.
//
// `length` is the number of characters of a record: 81 cells, or 729 candidates. `answers`, if it is not null,
// are 81 characters for each record, `answers_stride` bytes apart, for a question that compares answers. The
// first column of the table is the number of the record, from 0: a question may have several rows for a record,
// or none. `statuses`, if it is not null, gets a code for each record.
//
// # Safety
//
// See the head of the header: memory is there, and nobody else writes to it meanwhile; `table` has room for a
// pointer.
int sudoku_batch_ask(const sudoku_batch_engine *engine,
                     const char *question,
                     const char *options,
                     const uint8_t *records,
                     size_t length,
                     size_t count,
                     size_t stride,
                     const uint8_t *answers,
                     size_t answers_stride,
                     uint8_t *statuses,
                     sudoku_batch_table **table,
                     sudoku_batch_error *error);

// The number of rows of a table, or 0 for null.
//
// # Safety
//
// `table` is null or open.
uint64_t sudoku_batch_table_rows(const sudoku_batch_table *table);

// The number of columns of a table, or 0 for null.
//
// # Safety
//
// `table` is null or open.
size_t sudoku_batch_table_columns(const sudoku_batch_table *table);

// Gives the pointers of a column, by its number from 0.
//
// # Safety
//
// `table` is null or open; `column` and `error` are null or have room.
int sudoku_batch_table_column(const sudoku_batch_table *table,
                              size_t number,
                              sudoku_batch_column *column,
                              sudoku_batch_error *error);

// Gives a table away by the Arrow C data interface, as a struct of its columns, without a copy. The consumer
// releases both. The table stays open, and may be closed before or after.
//
// # Safety
//
// `table` is null or open; `schema`, `array` and `error` are null or have room.
int sudoku_batch_table_export(const sudoku_batch_table *table,
                              struct ArrowSchema *schema,
                              struct ArrowArray *array,
                              sudoku_batch_error *error);

// Closes a table. Null is none, and closes nothing. What was exported stays.
//
// # Safety
//
// `table` is null, or it is from this library, is not closed yet, and nobody uses it.
void sudoku_batch_table_close(sudoku_batch_table *table);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SUDOKU_BATCH_H */
