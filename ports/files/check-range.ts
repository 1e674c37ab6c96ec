import type { ByteRange } from './port.ts'

/**
 * Throws a RangeError for a range that makes no sense: ranges are made by the platform, so a wrong
 * one is a mistake of the program.
 */
export function checkRange({ start, end }: ByteRange): void {
  const sound = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end
  if (!sound) throw new RangeError(`This is no range of bytes: ${start}–${end}`)
}
