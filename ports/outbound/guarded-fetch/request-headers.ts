import { NoAnswer } from '../judging/no-answer.ts'

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/**
 * RFC 9110, section 5.5: visible characters, blanks between them, and obs-text; no line break, no
 * NUL.
 */
const VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/
/**
 * What the door says itself: where the message goes, where it ends, and what becomes of the
 * connection.
 */
const OWN = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'accept-encoding'
])

/**
 * Names that may be sent, as they were spelled. The program uses a few dozen; what comes beyond
 * these is looked at anew each time.
 */
const KEPT_NAMES = 200
const good = new Set<string>()

function maySendName(name: string): boolean {
  if (good.has(name)) return true
  if (!TOKEN.test(name) || OWN.has(name.toLowerCase())) return false
  if (good.size < KEPT_NAMES) good.add(name)
  return true
}

/**
 * The headers as they are sent, which are the caller's and a wish for no compression. Throws
 * NoAnswer `blocked`, with a sentence of its own, for a header that could break the message
 * or that is the door's: the caller is part of the program, so that is a mistake in it, which
 * trying again does not mend.
 */
export function requestHeaders(given: Record<string, string> = {}): Record<string, string> {
  for (const name of Object.keys(given)) {
    if (!maySendName(name) || !VALUE.test(given[name] as string)) {
      throw new NoAnswer('blocked', 'A header of this request may not be sent.')
    }
  }
  return { ...given, 'accept-encoding': 'identity' }
}
