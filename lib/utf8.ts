/** Longer texts are joined before they are encoded, in characters: encoding takes nearly all of the time. */
const MAX_LENGTH = 16 * 1024

/** Space for the texts of one call. A character has up to three bytes. */
const scratch = Buffer.alloc(3 * MAX_LENGTH)

/**
 * The bytes of texts one after another in UTF-8, as of their concatenation, which would be copied once more. No text
 * may end inside a surrogate pair.
 */
export function joinUtf8(...texts: string[]): Buffer {
  let length = 0
  for (const text of texts) length += text.length
  if (length > MAX_LENGTH) return Buffer.from(texts.join(''))
  let end = 0
  for (const text of texts) end += scratch.write(text, end)
  return Buffer.from(scratch.subarray(0, end))
}
