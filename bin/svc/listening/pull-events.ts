import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../../schemas/event.ts'

const EVERY_MS = 1000
const PAGE = 100

/** A page of the account's events after a sequence, in order, as `GET /api/events` gives it. */
export type ListEvents = (after: number, limit: number) => Promise<{ events: Event[]; next: number }>

/**
 * The sequence of the newest event, 0 when there is none. The list begins with the oldest, so the
 * end is looked for in steps that double and then by halves.
 */
export async function newestSequence(list: ListEvents): Promise<number> {
  const firstAfter = async (sequence: number) => (await list(sequence, 1)).events[0]?.sequence ?? null
  let newest = 0
  let end: number | null = null
  for (let step = 1; end === null; step *= 2) {
    const found = await firstAfter(newest + step - 1)
    if (found === null) end = newest + step - 1
    else newest = found
  }
  while (newest < end) {
    const middle = Math.floor((newest + end) / 2)
    const found = await firstAfter(middle)
    if (found === null) end = middle
    else newest = found
  }
  return newest
}

interface Pulling {
  after: number
  signal: AbortSignal
  /** Called when the service stops answering and when it answers again. */
  onOutage: (isOver: boolean) => void
  /** Whether an error passes by itself, so that it is tried again. Any other is thrown. */
  passes: (error: unknown) => boolean
}

/** Events as they happen, asked for every second; ends with the signal. */
export async function* pullEvents(
  list: ListEvents,
  { after, signal, onOutage, passes }: Pulling
): AsyncGenerator<Event> {
  let isOut = false
  let next = after
  while (!signal.aborted) {
    const page = await list(next, PAGE).catch((error: unknown) => {
      if (!passes(error)) throw error
      return null
    })
    if (isOut !== (page === null)) onOutage(isOut)
    isOut = page === null
    yield* page?.events ?? []
    next = page?.next ?? next
    if (page?.events.length !== PAGE) await wait(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
