/** HTML that needs no escaping: the output of `html` and `trustedHtml`. */
export interface Html {
  readonly markup: string
}

/** A value in an `html` template. Lists are joined; null and undefined render nothing. */
type HtmlValue = Html | string | number | null | undefined | readonly HtmlValue[]

/**
 * Template tag that escapes every interpolated string and number, for element content and for
 * quoted attributes. Values of type `Html` are inserted unchanged.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return { markup: strings.map((text, index) => (index === 0 ? text : render(values[index - 1]) + text)).join('') }
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(render).join('')
}

/** Marks a string as HTML without escaping it. Only for strings that this program wrote itself. */
export const trustedHtml = (markup: string): Html => ({ markup })

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Escapes the five special characters of HTML, XML 1.0 and Pango markup. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/**
 * Escapes text for element content and quoted attributes. Characters that HTML forbids become
 * U+FFFD (https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream).
 */
export function escapeHtml(text: string): string {
  return escapeMarkup(text.toWellFormed().replace(/(?![\t\n\r\f])\p{Cc}/gu, '\ufffd'))
}
