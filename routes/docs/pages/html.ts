/** Markup that is safe to send as it is. */
export interface Html {
  readonly markup: string
}
type Part = Html | string | number | null | undefined | readonly Part[]

/**
 * Markup with what is filled in escaped, unless it is markup itself; lists are joined, null and
 * undefined are nothing.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: texts.map((text, at) => (at === 0 ? text : written(parts[at - 1]) + text)).join('') }
}

function written(part: Part): string {
  if (part === null || part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'markup' in part ? part.markup : part.map(written).join('')
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Text with its `code` and **strong** words marked. */
export function inline(text: string): Html {
  return {
    markup: escapeHtml(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  }
}

/** Paragraphs, with `## ` for headings, as descriptions in the document use them. */
export function prose(text: string): Html[] {
  return text
    .split(/\n\n+/)
    .map((block) =>
      block.startsWith('## ') ? html`<h3>${inline(block.slice(3))}</h3>` : html`<p>${inline(block)}</p>`
    )
}

/** A value as an example in a page. */
export const sample = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>`
