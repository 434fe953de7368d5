// The work of a worker: calls of the engine, and the pieces of a batch.
import { started } from './engine.js'
import { fields } from './error.js'
import { concatenated } from './source.js'

/** Answers a piece with the engine of this thread. */
export function answerPiece(reading, { text, first, number }) {
  const record = BigInt(number)
  let rows = reading.answer(text, first, record)
  if (reading.goes_on()) {
    const parts = [rows]
    do parts.push(reading.go_on(record))
    while (reading.goes_on())
    rows = concatenated(parts)
  }
  return { rows, report: reading.report(), rejects: reading.rejects() }
}

/** The handler of a worker's messages. Each has an `id`, which its reply has too. */
export function serve(post) {
  let engine
  let reading
  const tasks = {
    async load(message) {
      engine = await started(message.compiled)
    },
    call: ({ name, args }) => engine[name](...args),
    begin({ head, options }) {
      reading?.free()
      reading = undefined
      reading = engine.Reading.begin(head, true, options)
    },
    piece: message => answerPiece(reading, message),
  }
  // One after the other: `load` is not done at once.
  let last = Promise.resolve()
  return message => {
    last = last.then(async () => {
      const { id, task } = message
      try {
        const value = await tasks[task](message)
        post({ id, value }, task === 'piece' ? [value.rows.buffer, value.rejects.buffer] : [])
      } catch (error) {
        // After a fault of the engine its memory is not to be trusted.
        const fatal = error instanceof WebAssembly.RuntimeError
        post({ id, error: fields(error), fatal })
      }
    })
  }
}
