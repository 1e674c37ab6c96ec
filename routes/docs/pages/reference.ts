import { html } from '../../../lib/html.ts'
import { ICON } from './layout.ts'

/**
 * The page of the interactive reference: its header, and the elements that the script fills. Without scripts it
 * leads to the plain page. `modules` is the URL of the reference's modules.
 */
export const renderReferencePage = ({ nonce, modules }: { nonce: string; modules: string }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Every operation of the API, with samples and requests to try.">
<meta property="csp-nonce" content="${nonce}">
<title>API reference: Blog and product content service</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/docs/reference.css">
<link rel="modulepreload" href="${modules}/standalone.esm.js">
<script type="module" src="/docs/reference.js" data-modules="${modules}"></script>
</head>
<body>
<nav class="docs-header" aria-label="Documentation">
<a class="docs-brand" href="/docs">Blog and product content service</a>
<a href="/docs">Guides</a>
<a href="/docs/api" aria-current="page">API</a>
<a href="/docs/api/plain">Plain page</a>
<a href="/docs/errors">Errors</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
<noscript>
<style nonce="${nonce}">.docs-loading { display: none }</style>
<p class="docs-note">The interactive reference requires JavaScript.
<a href="/docs/api/plain">The plain page</a> has the same contents without it.</p>
</noscript>
<div id="reference"></div>
<p class="docs-note docs-loading" role="status">Loading…</p>
</body>
</html>
`.markup
