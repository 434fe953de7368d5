// The package for browsers and bundlers.
import { make } from './calls.js'

export { SudokuError } from './error.js'

export const {
  solve, check, count, solutions, rate, steps, hint, canonical, puzzles, generate, batch, inspect,
  look, picture, sheet, ready, close,
} = make({
  cores: globalThis.navigator?.hardwareConcurrency ?? 2,
  random: numbers => crypto.getRandomValues(numbers),
  async compile(url) {
    try {
      return await WebAssembly.compileStreaming(fetch(url))
    } catch {
      // A server that does not know `application/wasm`.
      return WebAssembly.compile(await (await fetch(url)).arrayBuffer())
    }
  },
  start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.onmessage = event => onMessage(event.data)
        worker.onerror = event => onError(new Error(event.message || 'the worker did not start'))
      },
      keep() {},
      end: () => worker.terminate(),
    }
  },
})
