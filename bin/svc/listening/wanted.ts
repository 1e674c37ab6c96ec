import { EVENT_TYPES, type EventType } from '../../../schemas/event.ts'
import { UsageError, text, type Values } from '../command.ts'

/** What the person asked for. `port` 0: any that is free; `events` null: all. */
export interface Wanted {
  account: string
  port: number
  publicUrl: string | undefined
  events: EventType[] | null
  forwardTo: string | undefined
}

/** Reads the options of the command. Throws a UsageError that names what is wrong. */
export function readWanted(values: Values): Wanted {
  const port = text(values, 'port', '0')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port is a number from 0 (any that is free) to 65535.')
  }
  const events =
    text(values, 'events')
      ?.split(',')
      .map((word) => word.trim()) ?? null
  const unknown = events?.find((word) => !EVENT_TYPES.includes(word as EventType))
  if (unknown !== undefined) {
    throw new UsageError(`--events knows no "${unknown}"; there are ${EVENT_TYPES.join(', ')}.`)
  }
  const forwardTo = text(values, 'forward')
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw new UsageError('--forward is an address that begins with http:// or https://.')
  }
  return {
    account: text(values, 'account', 'demo'),
    port: Number(port),
    publicUrl: text(values, 'url'),
    events: events as EventType[] | null,
    forwardTo
  }
}
