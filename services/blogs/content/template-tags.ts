const TAG = /\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\}/
const ALL_TAGS = new RegExp(TAG, 'g')
const MAX_SHOWN_LENGTH = 80

/**
 * The first Liquid, Jekyll or Handlebars tag in the text, truncated for a message; null when there
 * is none. Also finds percent-encoded tags.
 */
export function findTemplateTag(text: string): string | null {
  if (!text.includes('{') && !/%7b/i.test(text)) return null
  const found = TAG.exec(text) ?? TAG.exec(decodePercent(text))
  return found === null ? null : found[0].slice(0, MAX_SHOWN_LENGTH)
}

/** All template tags of a text, truncated for messages. */
export function findTemplateTags(text: string): string[] {
  return text.includes('{') ? Array.from(text.matchAll(ALL_TAGS), (match) => match[0].slice(0, MAX_SHOWN_LENGTH)) : []
}

/** Percent-decodes valid sequences and leaves the rest. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}

const QUOTED_TAG = /(=\s*")((?:[^"<>{]|\{(?![{%])){0,500}(?:\{\{[^{}<>\n]{0,500}\}\}|\{%[^%<>\n]{0,500}%\}))/g

/**
 * Escapes quotes of a template tag inside a quoted attribute (`href="{{ "/x" | url }}"`), so that
 * an HTML parser sees one attribute. In text the visible result is the same.
 */
export function escapeQuotesInTags(html: string): string {
  if (!html.includes('{{') && !html.includes('{%')) return html
  return html.replace(QUOTED_TAG, (_, opening: string, value: string) => opening + value.replaceAll('"', '&quot;'))
}

const DESTINATION = /(?:[^\s()<>{]|\{(?![{%])){0,500}(?:\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\})[^\s()<>]{0,500}/y

/**
 * Matches a Markdown link target with a template tag at `start` (it may contain spaces and quotes,
 * unlike in CommonMark); null when there is none.
 */
export function matchTemplatedDestination(text: string, start: number, end: number): string | null {
  DESTINATION.lastIndex = start
  const found = DESTINATION.exec(text)
  return found === null || start + found[0].length > end ? null : found[0]
}

const QUOTED_VALUE = /"(?:[^"<>{]|\{(?![{%])|\{\{[^{}<>]{0,500}\}\}|\{%[^%<>]{0,500}%\}){0,2000}"/.source
const OTHER_VALUE = /'[^'<>]{0,2000}'|[^\s"'<>=`]{1,2000}/.source
const ATTRIBUTE = `\\s+[\\w:-]{1,60}(?:\\s*=\\s*(?:${QUOTED_VALUE}|${OTHER_VALUE}))?`
const OPEN_TAG = new RegExp(`<[A-Za-z][\\w-]{0,30}(?:${ATTRIBUTE}){0,40}\\s*/?>`, 'y')

/**
 * Matches an HTML start tag at `start` with a template tag in an attribute; null when there is
 * none.
 */
export function matchTemplatedOpenTag(text: string, start: number): string | null {
  OPEN_TAG.lastIndex = start
  const found = OPEN_TAG.exec(text)?.[0]
  return found !== undefined && TAG.test(found) ? found : null
}

/** The warning for a link whose URL contains a template tag. */
export function templateInLink(tag: string): string {
  return `the target of a link was removed because it contains the template tag ${tag}`
}
