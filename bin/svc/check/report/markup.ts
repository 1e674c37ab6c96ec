/** HTML that may be put into a page as it is; made by `html` alone. */
export interface Markup {
  readonly markup: string
}

type Part = Markup | string | number | readonly Markup[]

/**
 * A template of HTML: markup and lists of it stand as they are, every other value is text and is
 * escaped, for attributes as well.
 */
export function html(strings: TemplateStringsArray, ...values: Part[]): Markup {
  return { markup: strings.reduce((whole, text, place) => `${whole}${written(values[place - 1]!)}${text}`) }
}

export const nothing: Markup = { markup: '' }

/** Markup of our own that is written down as text: styles. */
export const asMarkup = (markup: string): Markup => ({ markup })

function written(value: Part): string {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Characters that HTML does not allow
 * (https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream) become the
 * sign for what cannot be shown.
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\n\r\f])\p{Cc}/gu, '\ufffd')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
