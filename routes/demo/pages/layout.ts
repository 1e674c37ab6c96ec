import { html, trustedHtml, type Html } from '../../../lib/html.ts'

/** The site of a company: warm paper, dark text, one accent. Light only, as many small sites are. */
const STYLE = `
:root { --accent: #0f6e62; --ink: #1d2a2e; --soft: #5b6a6e; --line: #dcd6c8; color-scheme: light }
* { box-sizing: border-box }
body { margin: 0; background: #fdfaf3; color: var(--ink); font: 1.0625rem/1.65 system-ui, sans-serif }
a { color: var(--accent) }
img { max-width: 100%; height: auto }
.top { border-bottom: 1px solid var(--line); background: #fff }
.top div, .page, .foot { max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem }
.top a { color: var(--ink); font-weight: 700; text-decoration: none }
.page { padding-block: 1.5rem 3rem }
h1 { font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.2; margin: 1rem 0 .5rem }
.meta { color: var(--soft); margin: 0 0 1.5rem }
.languages, .cards { list-style: none; padding: 0 }
.languages { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem }
.cards > li { border-bottom: 1px solid var(--line); padding: 1rem 0 }
.cards h2 { font-size: 1.25rem; margin: 0 }
.cards p { color: var(--soft); margin: .25rem 0 0 }
.foot { color: var(--soft); border-top: 1px solid var(--line); font-size: .9rem }
`

interface Page {
  title: string
  lang: string
  dir: 'ltr' | 'rtl'
  /** The name of the company, and the address of its posts. */
  brand: { name: string; url: string }
  /** What else belongs in the head. */
  head: Html | null
  /** Rules that follow those of the site. */
  css?: string
  hasViewport?: boolean
  body: Html
}

/** A page of a demo site. */
export function renderSitePage({ title, lang, dir, brand, head, css = '', hasViewport = true, body }: Page): string {
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
${hasViewport ? html`<meta name="viewport" content="width=device-width, initial-scale=1">` : null}
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${trustedHtml(STYLE)}${trustedHtml(css)}</style>
</head>
<body>
<header class="top"><div lang="en" dir="ltr"><a href="${brand.url}">${brand.name}</a></div></header>
<main class="page">
${body}
</main>
<footer class="foot" lang="en" dir="ltr">A website of the demo. Companies, people and products are fictional.</footer>
</body>
</html>
`.markup
}
