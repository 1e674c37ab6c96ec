/**
 * Whether one of the types that are offered is among those that an Accept header takes (RFC 9110,
 * section 12.5.1): by name, by `type/*` or by `*\/*`, unless its weight is 0.
 * A header that is left out, and one that is no list of ranges, takes anything.
 */
export function isAcceptable(accept: string | undefined, offered: readonly string[]): boolean {
  if (accept === undefined || accept === '*/*' || (accept === 'application/json' && offered.includes(accept))) {
    return true
  }
  const ranges = accept
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => /^[^/;\s]+\/[^/;\s]+/.test(range))
  if (ranges.length === 0) return true
  return offered.some((type) => weightOf(type, ranges) > 0)
}

/** The weight that the most specific range gives the type; 0 where none takes it. */
function weightOf(type: string, ranges: string[]): number {
  for (const pattern of [type, `${type.split('/')[0]!}/*`, '*/*']) {
    const range = ranges.find((one) => one.split(';')[0]!.trim() === pattern)
    if (range !== undefined) return Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1)
  }
  return 0
}
