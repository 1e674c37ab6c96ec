import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { html } from '../../../lib/html.ts'
import { STATUS_CODES } from '../../../lib/http/node-http.ts'
import { renderExample, renderPage } from './layout.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]

/** The list of all error codes by status. */
export function renderErrorsPage(): string {
  const groups = Object.entries(Object.groupBy(codes, (code) => ERRORS[code].status)).map(([status, group]) => {
    const items = group!.map(
      (code) => html`<dt><a href="/docs/errors/${code}"><code>${code}</code></a></dt><dd>${ERRORS[code].title}</dd>`
    )
    return html`<section>
<h2>${status} <span class="muted">${STATUS_CODES[status]}</span></h2>
<dl class="codes">${items}</dl>
</section>`
  })
  return renderPage({
    title: 'Errors',
    nav: null,
    body: html`<h1>Errors</h1>
<p class="lead">Errors are <code>application/problem+json</code> (RFC 9457).
Use <code>code</code> in programs: it is stable, while the texts may change.</p>
${groups}`
  })
}

/** The meaning of an error code, what to do about it, and an example response. */
export function renderErrorPage(code: ErrorCode, example: Record<string, unknown>): string {
  const { status, title, advice } = ERRORS[code]
  const body = html`<p class="muted"><a href="/docs/errors">Errors</a> / ${status} ${STATUS_CODES[status]}</p>
<h1>${title}</h1>
<p><span class="status s${String(status)[0]!}">${status}</span> <code>${code}</code></p>
<h2>What to do</h2>
<p class="lead">${advice}</p>
<h2>Example response</h2>
${renderExample(example)}`
  return renderPage({ title: `${title} (${code})`, nav: null, body })
}
