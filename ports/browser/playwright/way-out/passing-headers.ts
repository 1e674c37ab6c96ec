import { MARK } from './replies.ts'

/**
 * What concerns one connection alone (RFC 9110, section 7.6.1), what is between the browser and us,
 * and what we say ourselves.
 */
const STAYING = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  MARK
])

/**
 * The headers of a message that are passed on, as name after value in the order and spelling they
 * came in; without those that its Connection header names and those in `also`.
 */
export function passingHeaders(raw: readonly string[], also: readonly string[] = []): string[] {
  const staying = new Set(STAYING)
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]!.toLowerCase() !== 'connection') continue
    for (const name of raw[index + 1]!.split(',')) staying.add(name.trim().toLowerCase())
  }
  // How long the body is must not be lost, whoever names it in Connection: another message could
  // begin in it.
  staying.delete('content-length')
  for (const name of also) staying.add(name)
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !staying.has(name.toLowerCase()) ? [name, raw[index + 1]!] : []
  )
}
