// Solves the lines of standard input, 81 cells each: the bytes of `sudoku-batch solve`.
//
//	go run .
package main

// #cgo pkg-config: sudoku_batch
// #include <sudoku_batch.h>
import "C"

import (
	"errors"
	"io"
	"log"
	"os"
	"unsafe"
)

const line = 82 // 81 cells and a line feed

// Engine solves on several threads. Goroutines may share it.
type Engine struct{ engine *C.sudoku_batch_engine }

// Open opens an engine with a number of threads; 0 is one for each core.
func Open(threads int) (*Engine, error) {
	var e Engine
	var failure C.sudoku_batch_error
	if C.sudoku_batch_open(nil, C.size_t(threads), &e.engine, &failure) != C.SUDOKU_BATCH_OK {
		return nil, errors.New(C.GoString(&failure.message[0]))
	}
	return &e, nil
}

// Close closes the engine.
func (e *Engine) Close() { C.sudoku_batch_close(e.engine) }

// Solve gives a line for each line.
func (e *Engine) Solve(lines []byte) ([]byte, error) {
	count := len(lines) / line
	if count == 0 {
		return nil, nil
	}
	solutions := make([]byte, count*line)
	var failure C.sudoku_batch_error
	code := C.sudoku_batch_solve(e.engine, nil, (*C.uint8_t)(unsafe.Pointer(&lines[0])), C.size_t(count), line,
		(*C.uint8_t)(unsafe.Pointer(&solutions[0])), line, nil, &failure)
	if code != C.SUDOKU_BATCH_OK {
		return nil, errors.New(C.GoString(&failure.message[0]))
	}
	return solutions, nil
}

func main() {
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	solutions, err := engine.Solve(lines)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(solutions)
}
