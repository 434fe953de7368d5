// Loads the WebAssembly, once: with SIMD where the platform has it.

// A function that gives a vector: (func (result v128) (i8x16.splat (i32.const 0)))
const PROBE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the magic bytes, version 1
  1, 5, 1, 0x60, 0, 1, 0x7b, // the type () -> v128
  3, 2, 1, 0, // a function of it
  10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b, // its code
])

/** Whether the platform runs WebAssembly with vectors. */
export const hasSimd = () => WebAssembly.validate(PROBE)

// Both addresses are written out, so that bundlers find them.
const address = simd => simd
  ? new URL('./engine/simd/engine_bg.wasm', import.meta.url)
  : new URL('./engine/plain/engine_bg.wasm', import.meta.url)

const glue = simd => simd ? import('./engine/simd/engine.js') : import('./engine/plain/engine.js')

/** Compiles the engine: what workers get. */
export async function compiled(compile, simd = hasSimd()) {
  return { simd, module: await compile(address(simd)) }
}

/** Starts an engine of this thread. */
export async function started({ simd, module }) {
  const engine = await glue(simd)
  engine.initSync({ module })
  return engine
}
