/**
 * The string formats of the schemas, for any JSON Schema validator. Values are checked, not
 * converted.
 */
export const formats: Record<string, (text: string) => boolean> = {
  /** RFC 3339 date-time with an offset. */
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && isRealDate(text),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  /** An absolute http or https URL without user info. */
  'http-url': (text) => {
    const url = /^https?:\/\/[^\s]+$/i.test(text) ? URL.parse(text) : null
    return url !== null && url.username === '' && url.password === ''
  }
}

/**
 * Rejects 30 February and 25:00, which Date.parse accepts in some engines.
 */
function isRealDate(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && !Number.isNaN(Date.parse(text))
}
