// The package for Node.
import { webcrypto } from 'node:crypto'
import { availableParallelism, cpus } from 'node:os'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { make } from './calls.js'

export { SudokuError } from './error.js'

export const {
  solve, check, count, solutions, rate, steps, hint, canonical, puzzles, generate, batch, inspect,
  look, picture, sheet, ready, close,
} = make({
  cores: availableParallelism ? availableParallelism() : cpus().length,
  // Node 18 has no global `crypto`.
  random: numbers => webcrypto.getRandomValues(numbers),
  compile: async url => WebAssembly.compile(await readFile(url)),
  start() {
    const worker = new Worker(new URL('./worker-node.js', import.meta.url))
    // A worker that waits for work does not keep the process alive.
    worker.unref()
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.on('message', onMessage)
        worker.on('error', onError)
      },
      keep: busy => busy ? worker.ref() : worker.unref(),
      end: () => worker.terminate(),
    }
  },
})
