import { problem } from '../../errors.ts'

/** Runs a piece of work when there is room for it. */
export type RunInSlot = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets so many pieces of work run at once, and so many more wait in turn.
 * @throws ApiError `busy` with Retry-After, from the returned function, when as many wait as may.
 */
export function createSlots(limits: { running: number; waiting: number }): RunInSlot {
  const queue: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < limits.running) {
      running++
      return
    }
    if (queue.length >= limits.waiting) {
      throw problem('busy', 'Too many pictures are being made at this moment.', { headers: { 'Retry-After': '1' } })
    }
    await new Promise<void>((resolve) => {
      queue.push(resolve)
    })
  }

  /** The slot goes straight to the next in turn, so that nobody who comes now overtakes. */
  function leave(): void {
    const next = queue.shift()
    if (next === undefined) running--
    else next()
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
