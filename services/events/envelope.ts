import { createHash } from 'node:crypto'
import type { NewEvent } from '../../ports/store/port.ts'
import { EVENT_API_VERSION, type EventType } from '../../schemas/event.ts'

/** The content of an event. */
export interface EventContent {
  accountId: string
  projectId: string
  type: EventType
  /** Unique among the events of this account and type. */
  key: string
  timestamp: string
  data: Record<string, unknown>
}

/** Creates an event. Its id is derived from its key: creating it again gives the same id. */
export function newEvent({ accountId, projectId, type, key, timestamp, data }: EventContent): NewEvent {
  const id = eventId(`${accountId}\n${type}\n${key}`, Date.parse(timestamp))
  const head = `${JSON.stringify({ id, type, apiVersion: EVENT_API_VERSION, timestamp }).slice(0, -1)},"sequence":`
  return { id, accountId, projectId, type, timestamp, head, tail: `,"data":${JSON.stringify(data)}}` }
}

/** The exact body of an event with this sequence. */
export const eventBody = ({ head, tail }: Pick<NewEvent, 'head' | 'tail'>, sequence: number): string =>
  `${head}${sequence}${tail}`

/** A UUIDv7 (RFC 9562, section 5.7) whose random bits are a digest of the text. */
function eventId(text: string, ms: number): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
