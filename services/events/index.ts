import type { Store } from '../../ports/store/port.ts'
import type { Event, EventType } from '../../schemas/event.ts'
import { eventBody } from './envelope.ts'

export type Events = ReturnType<typeof createEvents>

/** What has happened, to be pulled by those who cannot be called, or who were away. */
export function createEvents({ store }: { store: Store }) {
  return {
    /** Events after this sequence, in order; `next` is the sequence to go on from. */
    async list(
      accountId: string,
      { after, limit, types }: { after: number; limit: number; types?: EventType[] }
    ): Promise<{ events: Event[]; next: number }> {
      const found = await store.events.list(accountId, { after, limit, ...(types === undefined ? {} : { types }) })
      const events = found.map((event) => JSON.parse(eventBody(event, event.sequence)) as Event)
      return { events, next: found.at(-1)?.sequence ?? after }
    }
  }
}
