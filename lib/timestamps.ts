let latestMs = Number.NaN
let latestText = ''

/**
 * `ms` (Unix time) in ISO 8601 with milliseconds, as `Date.prototype.toISOString` writes it. The text of the latest
 * millisecond is used again: on hot paths, several texts a millisecond would be the same.
 */
export function toIsoText(ms: number): string {
  if (ms !== latestMs) {
    latestText = new Date(ms).toISOString()
    latestMs = ms
  }
  return latestText
}
