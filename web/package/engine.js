// Loads the WebAssembly: with SIMD where the platform has it, and only the part that is asked.
//
//     solving    answers to puzzles and files, pictures
//     rating     ratings, steps, hints, and the puzzles that are made

// A function that gives a vector: (func (result v128) (i8x16.splat (i32.const 0)))
const PROBE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // the magic bytes, version 1
  1, 5, 1, 0x60, 0, 1, 0x7b, // the type () -> v128
  3, 2, 1, 0, // a function of it
  10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b, // its code
])

/** Whether the platform runs WebAssembly with vectors. */
export const hasSimd = () => WebAssembly.validate(PROBE)

// Each address is written out, so that bundlers find it.
const PARTS = {
  solving: {
    simd: [new URL('./engine/simd/solving_bg.wasm', import.meta.url), () => import('./engine/simd/solving.js')],
    plain: [new URL('./engine/plain/solving_bg.wasm', import.meta.url), () => import('./engine/plain/solving.js')],
  },
  rating: {
    simd: [new URL('./engine/simd/rating_bg.wasm', import.meta.url), () => import('./engine/simd/rating.js')],
    plain: [new URL('./engine/plain/rating_bg.wasm', import.meta.url), () => import('./engine/plain/rating.js')],
  },
}

const level = simd => simd ? 'simd' : 'plain'

/** Compiles a part of the engine: what workers get. */
export async function compiled(compile, part, simd = hasSimd()) {
  const [address] = PARTS[part][level(simd)]
  return { part, simd, module: await compile(address) }
}

/** Starts a part of the engine on this thread. */
export async function started({ part, simd, module }) {
  const [, glue] = PARTS[part][level(simd)]
  const engine = await glue()
  engine.initSync({ module })
  return engine
}
