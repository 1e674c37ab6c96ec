import { createYielder } from '../../lib/async.ts'
import { escapeMarkup } from '../../lib/html.ts'

/** Escapes text for XML 1.0, and removes the characters that XML 1.0 cannot represent. */
const escapeXml = (text: string): string =>
  escapeMarkup(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))

/**
 * An XML element with this text. Without text, nothing, unless it has attributes: then an empty
 * element.
 */
export function element(
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string | number>> = {}
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
  if (text === null || text === '') return written.length === 0 ? '' : `<${name}${written.join('')}/>`
  return `<${name}${written.join('')}>${escapeXml(text)}</${name}>`
}

/** An XML document of these parts. */
export const xmlDocument = (...parts: string[]): string => `<?xml version="1.0" encoding="UTF-8"?>\n${parts.join('')}\n`

/** Characters that are escaped at once. A megabyte of dense markup takes 40 ms. */
const ESCAPED_AT_ONCE = 32_768

/** Like `element`, in parts: for a text of any length. */
export function* longElement(name: string, text: string): Generator<string> {
  const wellFormed = text.toWellFormed()
  yield `<${name}>`
  for (let start = 0; start < wellFormed.length; ) {
    const end = start + ESCAPED_AT_ONCE
    // Both halves of a surrogate pair are in the same part.
    const isInPair = /[\udc00-\udfff]/.test(wellFormed.charAt(end))
    yield escapeXml(wellFormed.slice(start, isInPair ? end + 1 : end))
    start = isInPair ? end + 1 : end
  }
  yield `</${name}>`
}

/** An XML document of these parts in UTF-8, made with pauses that let the event loop serve others. */
export async function encodeXmlDocument(parts: Iterable<string>): Promise<Buffer> {
  const pause = createYielder()
  const encoded = [Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n')]
  for (const part of parts) {
    encoded.push(Buffer.from(part))
    await pause()
  }
  encoded.push(Buffer.from('\n'))
  return Buffer.concat(encoded)
}
