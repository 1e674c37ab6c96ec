const TAG = /\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\}/
const ALL_TAGS = new RegExp(TAG, 'g')
const MAX_SHOWN_LENGTH = 80

/**
 * The first Liquid, Jekyll or Handlebars tag in the text, as it stands there, shortened for a
 * message; null when there is none. Percent-encoding is looked through.
 */
export function findTemplateTag(text: string): string | null {
  if (!text.includes('{') && !/%7b/i.test(text)) return null
  const found = TAG.exec(text) ?? TAG.exec(decodePercent(text))
  return found === null ? null : found[0].slice(0, MAX_SHOWN_LENGTH)
}

/** Every template tag of a text, shortened for a message. */
export function findTemplateTags(text: string): string[] {
  return text.includes('{') ? Array.from(text.matchAll(ALL_TAGS), (match) => match[0].slice(0, MAX_SHOWN_LENGTH)) : []
}

/** Percent-decodes what can be decoded; leaves the rest. */
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
 * Writes the quotes inside a template tag inside a quoted attribute (`href="{{ "/x" | url }}"`) as
 * references, so that an HTML parser sees one attribute.
 * Where it is text, nothing visible changes.
 */
export function escapeQuotesInTags(html: string): string {
  if (!html.includes('{{') && !html.includes('{%')) return html
  return html.replace(QUOTED_TAG, (_, opening: string, value: string) => opening + value.replaceAll('"', '&quot;'))
}

const DESTINATION = /(?:[^\s()<>{]|\{(?![{%])){0,500}(?:\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\})[^\s()<>]{0,500}/y

/**
 * A Markdown link target with a template tag in it that starts at `start` (it may hold spaces and
 * quotes, which CommonMark's targets may not); null when there is none.
 */
export function matchTemplatedDestination(text: string, start: number, end: number): string | null {
  DESTINATION.lastIndex = start
  const found = DESTINATION.exec(text)
  return found === null || start + found[0].length > end ? null : found[0]
}

const OPEN_TAG =
  /<[A-Za-z][\w-]{0,30}(?:\s+[\w:-]{1,60}(?:\s*=\s*(?:"(?:[^"<>{]|\{(?![{%])|\{\{[^{}<>]{0,500}\}\}|\{%[^%<>]{0,500}%\}){0,2000}"|'[^'<>]{0,2000}'|[^\s"'<>=`]{1,2000}))?){0,40}\s*\/?>/y

/**
 * An HTML start tag at `start` that has a template tag in an attribute; null when there is none.
 */
export function matchTemplatedOpenTag(text: string, start: number): string | null {
  OPEN_TAG.lastIndex = start
  const found = OPEN_TAG.exec(text)?.[0]
  return found !== undefined && TAG.test(found) ? found : null
}

/** The warning for a link whose URL contains a template tag. */
export function templateInLink(tag: string): string {
  return `a link lost its target because it contains the template tag ${tag}`
}
