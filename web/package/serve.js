// What a worker does: calls of the engine, and the pieces of a batch.
import { started } from './engine.js'
import { fields } from './error.js'
import { concatenated } from './source.js'

/** Answers a piece with the engine of this thread. */
export function answerPiece(asker, { text, first, number, keys }) {
  let rows = asker.answer(text, first, BigInt(number))
  if (asker.goes_on()) {
    const parts = [rows]
    do parts.push(asker.go_on())
    while (asker.goes_on())
    rows = concatenated(parts)
  }
  const answer = { rows, report: asker.report(), rejects: asker.rejects() }
  if (keys) {
    answer.keys = asker.keys()
    answer.ends = asker.ends()
  }
  return answer
}

/** The handler of a worker's messages. Each has an `id`, which its reply has too. */
export function serve(post) {
  let engine
  let asker
  const tasks = {
    async load(message) {
      engine = await started(message.compiled)
    },
    call: ({ name, args }) => engine[name](...args),
    begin({ head, options }) {
      asker?.free()
      asker = undefined
      asker = new engine.Asker(head, options)
    },
    piece: message => answerPiece(asker, message),
  }
  // One after the other: `load` is not done at once.
  let last = Promise.resolve()
  return message => {
    last = last.then(async () => {
      const { id, task } = message
      try {
        const value = await tasks[task](message)
        const owned = task === 'piece'
          ? [value.rows, value.rejects, value.keys, value.ends].filter(Boolean).map(a => a.buffer)
          : []
        post({ id, value }, owned)
      } catch (error) {
        // After a fault of the engine its memory is not to be trusted.
        const fatal = error instanceof WebAssembly.RuntimeError
        post({ id, error: fields(error), fatal })
      }
    })
  }
}
