const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000]
] as const

/** A time that something has waited, in its largest whole unit: `3 min`; a dash for none. */
export function waited(ms: number): string {
  if (ms === 0) return '-'
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size) ?? ['ms', 1]
  return `${Math.floor(ms / unitMs)} ${unit}`
}
