/** An error of an input or an option, with its place. */
export class SudokuError extends Error {
  constructor({ code, message, index, line, column, reason }) {
    super(message)
    this.name = 'SudokuError'
    this.code = code
    if (index != null) this.index = index
    if (line != null) this.line = line
    if (column != null) this.column = column
    if (reason != null) this.reason = reason
  }
}

/** The fields of an error, which a worker can send. */
export function fields(error) {
  if (typeof error === 'string') return JSON.parse(error)
  if (error instanceof SudokuError) {
    const { code, message, index, line, column, reason } = error
    return { code, message, index, line, column, reason }
  }
  return { code: 'internal', message: String(error?.message ?? error) }
}

/** An error of the engine, as one of the package. */
export function typed(error) {
  if (error instanceof SudokuError) return error
  try {
    return new SudokuError(fields(error))
  } catch {
    return new SudokuError({ code: 'internal', message: String(error) })
  }
}
