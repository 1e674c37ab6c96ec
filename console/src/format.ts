const NUMBER = new Intl.NumberFormat('en-US')
const DATE_TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' })

/** The largest unit in which a duration is at least one. Seconds. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
]
const WEEK_SECONDS = 7 * 86_400

export const formatNumber = (value: number): string => NUMBER.format(value)

export const formatDateTime = (iso: string): string => DATE_TIME.format(new Date(iso))

/** `5 min. ago` within a week, the date otherwise. */
export function formatRelative(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  if (Math.abs(seconds) > WEEK_SECONDS) return DATE.format(new Date(iso))
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit === undefined ? 'just now' : RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0])
}

/** `1.2 MB`, in decimal units as storage is sold. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** `€41.50`. A price that has more decimals than its currency keeps them. An unknown code follows the number. */
export function formatPrice(price: number, currency: string | null): string {
  if (currency === null) return NUMBER.format(price)
  try {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    const { minimumFractionDigits = 2 } = format.resolvedOptions()
    const maximumFractionDigits = Math.max(minimumFractionDigits, 4)
    return new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits,
      maximumFractionDigits
    }).format(price)
  } catch {
    return `${NUMBER.format(price)} ${currency}` // Not an ISO 4217 code.
  }
}

export const formatPercent = (share: number): string => `${Math.round(share * 100)}%`

/** `1 post`, `2 posts`. */
export const plural = (count: number, item: string): string => `${formatNumber(count)} ${item}${count === 1 ? '' : 's'}`

/** The value of an `input type="datetime-local"`, in the time zone of the browser. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
