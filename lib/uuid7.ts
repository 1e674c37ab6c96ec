/*
 * A UUIDv7 begins with its time: 48 bits of milliseconds since 1970 (RFC 9562, section 5.7). The order
 * of such ids is that of their times, so an index of ids serves queries by time.
 */

/** The time of a UUIDv7, in milliseconds since 1970. */
export const timeOfUuid7 = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** The smallest UUIDv7 of this time or later: ids from it on are not older. */
export function firstUuid7(at: string): string {
  const hex = Math.max(0, Date.parse(at)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
