/**
 * Copies a result with its texts truncated, so that a page cannot make it arbitrarily large: at
 * 100,000 characters, and `data:` URLs at 20,000. Throws a RangeError if all of it together exceeds
 * `maxSize`, in characters and 16 for each value.
 */
export function limitResult(result: unknown, maxSize: number): unknown {
  let size = 0
  const limit = (value: unknown): unknown => {
    const text = typeof value === 'string' ? value.slice(0, value.startsWith('data:') ? 20_000 : 100_000) : null
    size += 16 + (text === null ? 0 : text.length)
    if (size > maxSize) throw new RangeError('The result is too large.')
    if (text !== null) return text
    if (Array.isArray(value)) return value.map(limit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, limit(one)]))
  }
  return limit(result)
}
