// Workers, kept for the next call.
import { SudokuError } from './error.js'

/** A worker with the engine in it. */
class Hand {
  #worker
  #waiting = new Map()
  #next = 0
  #dead
  /** The part of the engine that it has. */
  part

  constructor(worker) {
    this.#worker = worker
    worker.listen(
      ({ id, value, error, fatal }) => {
        // An answer may be on its way when the worker is ended. Then its question has failed already.
        if (this.#dead) return
        const { resolve, reject } = this.#waiting.get(id)
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) worker.keep(false)
        if (fatal) this.end(new SudokuError(error))
        error ? reject(new SudokuError(error)) : resolve(value)
      },
      error => this.end(new SudokuError({ code: 'internal', message: error.message })),
    )
  }

  /** How many answers it owes. */
  get load() { return this.#waiting.size }

  get isAlive() { return !this.#dead }

  ask(message, transfer = []) {
    if (this.#dead) return Promise.reject(this.#dead)
    return new Promise((resolve, reject) => {
      const id = this.#next++
      this.#waiting.set(id, { resolve, reject })
      this.#worker.keep(true)
      this.#worker.post({ ...message, id }, transfer)
    })
  }

  /** Stops at once: what it owes fails for this reason. */
  end(reason) {
    this.#dead ??= reason
    this.#worker.end()
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}

/** Workers for a platform. */
export class Pool {
  #start
  #idle = []
  #lent = new Set()
  #most

  constructor(start, most) {
    this.#start = start
    this.#most = most
  }

  /** Lends a worker: one that is idle, or a new one. */
  lend(compiled) {
    // At -1 it takes the last of all, which loads the part.
    const hasIt = this.#idle.findLastIndex(hand => hand.part === compiled.part)
    const [kept] = this.#idle.splice(hasIt, 1)
    const hand = kept ?? new Hand(this.#start())
    if (hand.part !== compiled.part) {
      hand.part = compiled.part
      // A failure to load is that of the next question, too.
      hand.ask({ task: 'load', compiled }).catch(error => hand.end(error))
    }
    this.#lent.add(hand)
    return hand
  }

  /** Takes a worker back that owes nothing. */
  takeBack(hand) {
    this.#lent.delete(hand)
    if (!hand.isAlive) return
    if (hand.load > 0 || this.#idle.length >= this.#most) hand.end(closed())
    else this.#idle.push(hand)
  }

  /** Ends all workers. What runs fails. */
  close() {
    for (const hand of [...this.#idle.splice(0), ...this.#lent]) hand.end(closed())
  }
}

const closed = () => new SudokuError({ code: 'closed', message: 'the worker was closed' })

/** Runs work with borrowed workers, which an abort ends at once. */
export async function withHands(pool, compiled, count, signal, work) {
  signal?.throwIfAborted()
  const hands = Array.from({ length: count }, () => pool.lend(compiled))
  const stop = () => hands.forEach(hand => hand.end(signal.reason))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await work(hands)
  } finally {
    signal?.removeEventListener('abort', stop)
    hands.forEach(hand => pool.takeBack(hand))
  }
}
