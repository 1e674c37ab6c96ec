/**
 * Whether a parsed JSON value has more than so many values, itself and all that is in it; stops
 * counting there.
 */
export function hasMoreValues(value: unknown, most: number): boolean {
  const waiting = [value]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > most) return true
    const next = waiting.pop()
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) waiting.push(part)
  }
  return false
}
