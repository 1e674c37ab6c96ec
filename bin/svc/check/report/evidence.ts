const MOST_ENTRIES = 6
const MOST_ITEMS = 3
const MOST_CHARACTERS = 90
const MOST_QUOTED = 400

/** The first six measurements of a finding, each in a few words: `font px` and `9.5`. */
export function evidenceWords(evidence: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(evidence)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .slice(0, MOST_ENTRIES)
    .map(([key, value]) => ({ name: inWords(key), value: cut(shown(value)) }))
}

const inWords = (key: string): string =>
  key
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    return [
      ...value.slice(0, MOST_ITEMS).map(shown),
      ...(value.length > MOST_ITEMS ? [`and ${value.length - MOST_ITEMS} more`] : [])
    ].join(', ')
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([key, part]) => `${inWords(key)} ${shown(part)}`)
      .join(', ')
  }
  return String(value)
}

/** At most 90 characters; what is cut off is told by `…`. */
export function cut(text: string, most = MOST_CHARACTERS): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** What was expected, or found: the first 400 characters. */
export const quoted = (text: string): string => (text.trim() === '' ? '(nothing)' : cut(text, MOST_QUOTED))
