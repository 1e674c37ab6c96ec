import { html, type Html } from './html.ts'

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0f6e62"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>')}`

/**
 * A whole page; `nav` stands beside the content where there is room, and folds away above it where
 * there is not.
 */
export function layout({ title, nav, body }: { title: string; nav: Html | null; body: Html }): string {
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
<a class="skip" href="#content">To the content</a>
<header class="top"><a class="brand" href="/docs">Blog and product content service</a><nav aria-label="Documents"><a href="/docs">Interface</a><a href="/docs/errors">Errors</a><a href="/openapi.json">OpenAPI</a></nav></header>
<div class="${nav === null ? 'narrow' : 'wide'}">
${nav === null ? null : html`<details class="fold"><summary>All operations</summary>${nav}</details><aside>${nav}</aside>`}
<main id="content">
${body}
</main>
</div>
</body>
</html>
`.markup
}
