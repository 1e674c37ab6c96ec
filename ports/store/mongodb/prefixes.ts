/** Characters that have no meaning in a regular expression. Terms consist of them. */
const PLAIN = /^[\p{L}\p{M}\p{N}]+$/u
const MAX_CODE_POINT = 0x10ffff
const SURROGATES = { first: 0xd800, last: 0xdfff }

/**
 * The condition that a text of a list begins with this one. As an expression, which a server can answer from an index
 * of the list alone: for `$elemMatch`, it would read each document, and prefer this condition to whole words
 * (https://www.mongodb.com/docs/manual/reference/operator/query/regex/#index-use).
 */
export function anyBeginsWith(prefix: string): { $regex: string } | { $elemMatch: { $gte: string; $lt?: string } } {
  return PLAIN.test(prefix) ? { $regex: `^${prefix}` } : { $elemMatch: prefixRange(prefix) }
}

/** The range of strings with this prefix, by code point. */
function prefixRange(prefix: string): { $gte: string; $lt?: string } {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === MAX_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return { $gte: prefix }
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1
  return { $gte: prefix, $lt: String.fromCodePoint(...points, next) }
}
