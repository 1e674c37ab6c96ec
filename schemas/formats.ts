/** Without hour 24, which Date.parse accepts. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: the years that four digits can express. */
const MIN_TIME_MS = -62_135_596_800_000
const MAX_TIME_MS = 253_402_300_799_999

/**
 * Converts milliseconds since 1970 to the stored form: RFC 3339 in UTC with milliseconds. Null
 * outside the years 0001 to 9999, which text comparison and RFC 3339 cannot represent.
 */
export const toTimestamp = (ms: number): string | null =>
  ms >= MIN_TIME_MS && ms <= MAX_TIME_MS ? new Date(ms).toISOString() : null

/**
 * Converts an RFC 3339 date-time with an offset to UTC with milliseconds. Null for any other text,
 * for a date that does not exist, and for a time that is outside the years 0001 to 9999 in UTC.
 */
export function parseTimestamp(text: string): string | null {
  return RFC_3339.test(text) && isRealDate(text.slice(0, 10)) ? toTimestamp(Date.parse(text)) : null
}

/**
 * The UTC form of a value that the `date-time` format has accepted. Throws a RangeError for other
 * values.
 */
export function toUtc(text: string): string {
  const utc = parseTimestamp(text)
  if (utc === null) throw new RangeError(`${text} is not an RFC 3339 time between the years 0001 and 9999.`)
  return utc
}

/** Rejects 30 February, which Date.parse accepts. */
function isRealDate(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Control characters that no XML document may contain: U+0000 to U+001F without tabs and line ends. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** Whether a text is acceptable as a title, a name or a text alternative. */
export const isLabel = (text: string): boolean => !CONTROL.test(text)

/** The error for a text that must not contain control characters. */
export const CONTROL_CHARACTERS = {
  code: 'control_characters',
  message: 'must not contain control characters other than tabs and line ends'
}

/** Validators that report all errors check the format of texts that are too long, too. */
export const MAX_URL_LENGTH = 2000
/** The longest name of a host (RFC 1035, section 2.3.4), and a colon with a port. */
const MAX_HOST_LENGTH = 253 + 6
/** Schemes whose hosts are converted to ASCII (URL Standard, "special scheme"). */
const HOST = /^[\0- ]*(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})(?<host>[^/\\?#]*)/i

/**
 * Whether the host of a URL is longer than any host can be. Parsing such a URL takes quadratic time for
 * letters outside of ASCII: 73 ms for 5,000.
 */
export const hasLongHost = (url: string): boolean =>
  // The URL parser ignores tabs and line ends.
  (HOST.exec(url.replace(/[\t\n\r]/g, ''))?.groups?.host?.length ?? 0) > MAX_HOST_LENGTH

/**
 * The string formats of the schemas, for any JSON Schema validator. Values are checked, not
 * converted.
 */
export const formats: Record<string, (text: string) => boolean> = {
  /** RFC 3339 date-time with an offset, between the years 0001 and 9999 in UTC. */
  'date-time': (text) => parseTimestamp(text) !== null,
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  /** A title, a name or a text alternative. */
  label: isLabel,
  /** An absolute http or https URL without user info. */
  'http-url': (text) => {
    if (text.length > MAX_URL_LENGTH || hasLongHost(text)) return false
    const url = /^https?:\/\/[^\s]+$/i.test(text) ? URL.parse(text) : null
    return url !== null && url.username === '' && url.password === ''
  }
}
