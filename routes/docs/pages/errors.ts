import { STATUS_CODES } from 'node:http'
import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { html, sample } from './html.ts'
import { layout } from './layout.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]

/** Every code that an error can carry, by status. */
export function errorsPage(): string {
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code].status)
  const groups = Object.entries(byStatus).map(
    ([status, group]) =>
      html`<section><h2>${status} <span class="quiet">${STATUS_CODES[status]}</span></h2><dl class="codes">${group!.map((code) => html`<dt><a href="/docs/errors/${code}"><code>${code}</code></a></dt><dd>${ERRORS[code].title}</dd>`)}</dl></section>`
  )
  return layout({
    title: 'Errors',
    nav: null,
    body: html`<h1>Errors</h1><p class="lead">Errors are <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>: it stays the same, while the sentences may become better.</p>${groups}`
  })
}

/** What a code means, the way out, and what its body looks like. */
export function errorPage(code: ErrorCode, example: Record<string, unknown>): string {
  const { status, title, advice } = ERRORS[code]
  const body = html`<p class="quiet"><a href="/docs/errors">Errors</a> / ${status} ${STATUS_CODES[status]}</p>
<h1>${title}</h1>
<p><span class="status s${String(status)[0]!}">${status}</span> <code>${code}</code></p>
<h2>What to do</h2>
<p class="lead">${advice}</p>
<h2>What the answer looks like</h2>
${sample(example)}`
  return layout({ title: `${title} (${code})`, nav: null, body })
}
