import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../../schemas/event.ts'
import { countOf } from '../output.ts'

/** An event of a subscribable type, or a ping. */
export type ListenedEvent = Omit<Event, 'type'> & { type: string }

/** An event as it was delivered: its bytes, and the delivery it belongs to. */
export interface Arrival {
  event: ListenedEvent
  body: Buffer
  deliveryId: string
  attempt: number
}

/** An event as one line: local time, type, sequence number, mark, and a short summary. */
export function formatEvent({ type, timestamp, sequence, data }: ListenedEvent, mark: string): string {
  return [
    new Date(timestamp).toTimeString().slice(0, 8),
    type.padEnd(25),
    `#${sequence}`.padEnd(6),
    ...(mark === '' ? [] : [mark]),
    summarize(data)
  ]
    .join('  ')
    .trimEnd()
}

/** Such as `12 products`, `40 rows, 2 failed` or `old-slug → new-slug`; empty for other data. */
function summarize({ products, processed, failed, slug, previousSlug, overallScore }: Record<string, unknown>): string {
  if (Array.isArray(products)) return countOf(products.length, 'product')
  if (typeof processed === 'number') return `${countOf(processed, 'row')}, ${Number(failed)} failed`
  if (typeof slug === 'string') return typeof previousSlug === 'string' ? `${previousSlug} → ${slug}` : slug
  return typeof overallScore === 'number' ? `score ${overallScore}` : ''
}

const POLL_MS = 1000
const PAGE_SIZE = 100

/** A page of an account's events after a sequence number, in order: `GET /api/events`. */
export type ListEvents = (after: number, limit: number) => Promise<{ events: Event[]; next: number }>

/**
 * The sequence number of the newest event; 0 if there is none. The list starts with the oldest
 * event, so the newest is found by doubling steps and then by binary search.
 */
export async function findNewestSequence(list: ListEvents): Promise<number> {
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

interface PollOptions {
  after: number
  signal: AbortSignal
  /** Called with true when the service stops responding, with false when it responds again. */
  onOutage: (isDown: boolean) => void
  /** Whether a request that failed with this error is retried. Other errors are thrown. */
  isRetryable: (error: unknown) => boolean
}

/** Yields new events, polled every second, until the signal is aborted. */
export async function* pollEvents(
  list: ListEvents,
  { after, signal, onOutage, isRetryable }: PollOptions
): AsyncGenerator<Event> {
  let isDown = false
  let next = after
  while (!signal.aborted) {
    const page = await list(next, PAGE_SIZE).catch((error: unknown) => {
      if (!isRetryable(error)) throw error
      return null
    })
    if (isDown !== (page === null)) onOutage(page === null)
    isDown = page === null
    yield* page?.events ?? []
    next = page?.next ?? next
    if (page?.events.length !== PAGE_SIZE) await wait(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
