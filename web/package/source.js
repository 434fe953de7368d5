// The bytes of an input, piece by piece, unpacked.
import { said } from './arguments.js'

/** How much of a file is read at a time. */
const READ = 1 << 20

/** How long the calling thread works before others get a turn, in milliseconds. */
const TURN = 8

const nextTurn = () => new Promise(resolve => {
  if (typeof setImmediate === 'function') return setImmediate(resolve)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => { port1.close(); resolve() }
  port2.postMessage(0)
})

/** Lets others have a turn when this thread has worked for some time. */
export class Turns {
  #since = now()

  async pause() {
    if (now() - this.#since < TURN) return
    await nextTurn()
    this.#since = now()
  }
}

const now = () => performance.now()

async function* chunks(input, isPacked) {
  if (typeof input === 'string') {
    const encoder = new TextEncoder()
    for (let at = 0; at < input.length;) {
      let end = Math.min(at + READ, input.length)
      // Two units of one character stay together.
      if (end < input.length && (input.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--
      yield encoder.encode(input.slice(at, end))
      at = end
    }
  } else if (isBytes(input)) {
    const bytes = viewOf(input)
    // Packed bytes are unpacked in steps, and others are cut without a copy.
    const step = isPacked(bytes.subarray(0, 4)) ? READ : Math.max(bytes.length, 1)
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  } else if (input instanceof Blob) {
    for (let at = 0; at < input.size; at += READ) {
      yield new Uint8Array(await input.slice(at, at + READ).arrayBuffer())
    }
  } else if (typeof input?.getReader === 'function') {
    const reader = input.getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        yield bytesOf(value)
      }
    } finally {
      // Cancelled in the middle: the source is closed.
      await reader.cancel().catch(() => {})
    }
  } else if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) {
    // In a list each text is a record. Elsewhere a record may go on in the next text.
    const isRecord = value => Array.isArray(input) && typeof value === 'string' && !value.endsWith('\n')
    for await (const value of input) yield bytesOf(isRecord(value) ? `${value}\n` : value)
  } else {
    throw new TypeError('input is a text, bytes, a File or Blob, a ReadableStream, a list or an iterable, ' +
      `not ${said(input)}`)
  }
}

const isBytes = value => value instanceof ArrayBuffer || ArrayBuffer.isView(value)

// Not of the kind of the bytes: a Buffer of Node has a `slice` that copies nothing.
const viewOf = bytes => bytes instanceof ArrayBuffer
  ? new Uint8Array(bytes)
  : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The bytes of a part of an input: a copy, because whoever gave it may write into it again. */
function bytesOf(value) {
  if (typeof value === 'string') return new TextEncoder().encode(value)
  if (isBytes(value)) return viewOf(value).slice()
  throw new TypeError(`a part of the input is a text or bytes, not ${said(value)}`)
}

const sizeOf = input => input instanceof Blob ? input.size : input?.byteLength

/** The unpacked bytes of an input. */
export class Source {
  /** The number of bytes of the input, where that is known. */
  size
  /** How many bytes of the input were read. */
  read = 0
  /** `gzip`, `zstd` or nothing. */
  packing
  #chunks
  #engine
  #unpacker
  #ended = false
  #turns = new Turns()

  constructor(engine, input) {
    this.#engine = engine
    this.size = sizeOf(input)
    this.#chunks = chunks(input, head => engine.Unpacker.of(head) !== undefined)
  }

  async #readOn() {
    await this.#turns.pause()
    const { done, value } = await this.#chunks.next()
    if (done) this.#ended = true
    else this.read += value.length
    return value
  }

  /** The next bytes, or nothing at the end. */
  async next() {
    if (this.read === 0) {
      // Four bytes decide whether it is packed.
      let head = new Uint8Array()
      while (head.length < 4 && !this.#ended) head = concatenated([head, await this.#readOn()])
      this.#unpacker = this.#engine.Unpacker.of(head.subarray(0, 4))
      this.packing = this.#unpacker?.name()
      if (!this.#unpacker) return head.length ? head : undefined
      this.#unpacker.push(head)
    }
    if (!this.#unpacker) {
      for (;;) {
        const bytes = await this.#readOn()
        if (this.#ended || bytes.length) return bytes
      }
    }
    for (;;) {
      await this.#turns.pause()
      const bytes = this.#unpacker.next(this.#ended)
      if (bytes.length) return bytes
      if (this.#ended) return undefined
      const packed = await this.#readOn()
      if (packed) this.#unpacker.push(packed)
    }
  }

  /** Ends the reading, perhaps before the end. */
  async close() {
    this.#unpacker?.free()
    this.#unpacker = undefined
    await this.#chunks.return()
  }
}

/** The bytes of all parts: those of a single one are not copied. */
export function concatenated(given) {
  const parts = given.filter(part => part?.length)
  if (parts.length === 1) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
