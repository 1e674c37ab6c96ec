/** The same trouble is told again after so many milliseconds, not before. */
const QUIET_MS = 30_000
/** So many kinds of trouble are remembered before all are forgotten. */
const MOST_KINDS = 100

/**
 * Returns what tells of trouble, but of each kind only once in 30 seconds: a Redis that is away
 * would fill the log otherwise. Jobs that differ by their id alone are of one kind.
 */
export function createTrouble(tell: (error: Error) => void): (error: unknown) => void {
  const toldAt = new Map<string, number>()
  return (thrown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const kind = error.message.replace(/\bjob \S+/i, 'job')
    const now = performance.now()
    if (now - (toldAt.get(kind) ?? -Infinity) < QUIET_MS) return
    if (toldAt.size >= MOST_KINDS) toldAt.clear()
    toldAt.set(kind, now)
    tell(error)
  }
}
