module example.org/sudoku

go 1.19
