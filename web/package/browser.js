// The package for browsers and bundlers.
import { make } from './calls.js'
import { SudokuError } from './error.js'

export { SudokuError }

/** The WebAssembly at an address, or an error that says what is there. */
async function load(url) {
  const response = await fetch(url)
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && !type.startsWith('text/html')) return response
  const found = response.ok ? 'a page' : `status ${response.status}`
  throw new SudokuError({ code: 'internal', message: `the engine is not at ${url}: the server gives ${found}` })
}

export const {
  solve, check, count, solutions, rate, steps, hint, canonical, puzzles, generate, batch, inspect,
  look, picture, sheet, ready, close,
} = make({
  cores: globalThis.navigator?.hardwareConcurrency ?? 2,
  random: numbers => crypto.getRandomValues(numbers),
  async compile(url) {
    const response = await load(url)
    // Some servers do not know the type.
    if (response.headers.get('content-type') !== 'application/wasm') {
      return WebAssembly.compile(await response.arrayBuffer())
    }
    return WebAssembly.compileStreaming(response)
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
