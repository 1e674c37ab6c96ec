import { mapInSlices } from '../../lib/async.ts'
import type { Store } from '../../ports/store/port.ts'
import type { Event, EventType } from '../../schemas/event.ts'
import { eventBody } from './envelope.ts'

export type Events = ReturnType<typeof createEvents>

/** The event log, for clients that poll: they have no webhook, or missed deliveries. */
export function createEvents({ store }: { store: Store }) {
  return {
    /** Events after this sequence, in order. Pass `next` as `after` to get the following ones. */
    async list(
      accountId: string,
      { after, limit, types }: { after: number; limit: number; types?: EventType[] }
    ): Promise<{ events: Event[]; next: number }> {
      const found = await store.events.list(accountId, { after, limit, ...(types === undefined ? {} : { types }) })
      const events = await mapInSlices(found, (event) => JSON.parse(eventBody(event, event.sequence)) as Event)
      return { events, next: found.at(-1)?.sequence ?? after }
    }
  }
}
