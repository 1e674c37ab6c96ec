import { problem, type ApiError } from '../../../errors.ts'

/**
 * What Redis answers when it cannot do it now, whatever is asked of it
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors, redis.conf).
 */
const AWAY_REPLIES = [
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNKILLABLE',
  'WRONGPASS'
]

/** What the driver says when there is no connection, or no answer came in time. */
const AWAY_MESSAGES =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Socket timeout|Command aborted due to connection close|Reached the max retries per request limit|connect |read |write )/
const AWAY_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH'
]

/** True for what Redis itself answered. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError'

/** True when Redis cannot be reached, or says that it cannot do it now. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isReply(error)) return AWAY_REPLIES.includes(error.message.split(' ', 1)[0] as string)
  return AWAY_CODES.includes(String((error as NodeJS.ErrnoException).code)) || AWAY_MESSAGES.test(error.message)
}

/** The refusal for callers of a queue that cannot be reached. */
export const away = (cause?: unknown): ApiError =>
  problem('unavailable', 'The queue cannot be reached just now.', { headers: { 'Retry-After': '2' }, cause })
