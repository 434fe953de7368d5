// Solves the lines of standard input, 81 cells each: the bytes of `sudoku-batch solve`.
//
//     c++ app.cpp $(pkg-config --cflags --libs sudoku_batch) -o app
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <sudoku_batch.h>

// An engine that closes itself, and exceptions.
class Sudoku {
    static void check(int code, const sudoku_batch_error &error) {
        if (code != SUDOKU_BATCH_OK) throw std::runtime_error(error.message);
    }
    static sudoku_batch_engine *open(const char *level, size_t threads) {
        sudoku_batch_error error;
        sudoku_batch_engine *engine;
        check(sudoku_batch_open(level, threads, &engine, &error), error);
        return engine;
    }
    std::unique_ptr<sudoku_batch_engine, decltype(&sudoku_batch_close)> engine;

  public:
    explicit Sudoku(const char *level = nullptr, size_t threads = 0) : engine(open(level, threads), sudoku_batch_close) {}
    std::string solve(const std::string &lines) const {
        std::string solutions(lines.size() / 82 * 82, '\0');
        sudoku_batch_error error;
        check(sudoku_batch_solve(engine.get(), nullptr, reinterpret_cast<const uint8_t *>(lines.data()), lines.size() / 82, 82,
                                 reinterpret_cast<uint8_t *>(&solutions[0]), 82, nullptr, &error), error);
        return solutions;
    }
};

int main() {
    std::string lines{std::istreambuf_iterator<char>(std::cin), {}};
    std::cout << Sudoku().solve(lines);
}
