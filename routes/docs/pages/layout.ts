import { escapeHtml, html, trustedHtml, type Html } from '../../../lib/html.ts'

const ICON_SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">',
  '<rect width="16" height="16" rx="4" fill="#0f6e62"/>',
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/>',
  '</svg>'
].join('')
/** The icon of the documentation, as a data URL. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`

interface Page {
  title: string
  /** Beside the content on wide screens, and collapsed above it on narrow ones. */
  nav: Html | null
  navTitle?: string
  body: Html
}

/** A page. */
export function renderPage({ title, nav, navTitle = 'All operations', body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">Blog and product content service</a>
<nav aria-label="Documentation">
<a href="/docs">Guides</a>
<a href="/docs/api">API</a>
<a href="/docs/errors">Errors</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
</header>
<div class="${nav === null ? 'narrow' : 'wide'}">
${
  nav === null
    ? null
    : html`<details class="fold"><summary>${navTitle}</summary>${nav}</details>
<aside>${nav}</aside>`
}
<main id="main">
${body}
</main>
</div>
</body>
</html>
`.markup
}

/** Text with inline Markdown: `code` and **strong**. */
export function renderInline(text: string): Html {
  return trustedHtml(
    escapeHtml(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  )
}

/** Paragraphs of inline Markdown; `## ` starts a heading below that of the page. */
export function renderProse(text: string): Html[] {
  return text
    .split(/\n\n+/)
    .map((block) =>
      block.startsWith('## ') ? html`<h2>${renderInline(block.slice(3))}</h2>` : html`<p>${renderInline(block)}</p>`
    )
}

/** A code block: a text, or a value as JSON. */
export const renderExample = (value: unknown): Html => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}
