import { STATUS_CODES } from 'node:http'
import { curl } from './curl.ts'
import type { Document, Entry } from './document.ts'
import { html, prose, sample, type Html } from './html.ts'
import { mediaPart } from './media.ts'
import { parameters } from './parameters.ts'

type Operation = Entry['operation']
type Answer = Exclude<Operation['responses'][string], { $ref: string }>

/** Everything about one operation: who may call it, what it takes, every answer. */
export function operationSection(entry: Entry, document: Document): Html {
  const { method, path, operation } = entry
  const statuses = Object.entries(operation.responses).map(([status, answer]) =>
    answerItem(status, resolved(answer, document), document)
  )
  return html`<article id="${operation.operationId}" class="operation">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="line"><span class="m ${method}">${method}</span><code>${path.split(/(?=\/)/).flatMap((step) => [{ markup: '<wbr>' }, step])}</code>${access(operation)}</p>
${prose(operation.description ?? '')}
${parameters(operation, document)}
${Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => html`<h4>Body <span class="quiet">${type}</span></h4>${mediaPart(media, document)}`)}
<h4>Try it</h4>${sample(curl(entry, document))}
<h4>Answers</h4><div class="answers">${statuses}</div>
</article>`
}

function access(operation: Operation): Html {
  if (operation['x-scope'] !== undefined) return html`<span class="pill">key · ${operation['x-scope']}</span>`
  return (operation.security ?? []).length === 0
    ? html`<span class="pill">public</span>`
    : html`<span class="pill">session</span>`
}

function resolved(answer: Operation['responses'][string], { components }: Document): Answer {
  return '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1)!]! : answer
}

function answerItem(status: string, answer: Answer, document: Document): Html {
  const label = html`<span class="status s${status[0]!}">${status}</span> ${STATUS_CODES[status]}`
  const problems = answer.content?.['application/problem+json']
  if (problems !== undefined) {
    return html`<details><summary>${label} <span class="quiet">${Object.keys(problems.examples ?? {}).join(', ')}</span></summary><ul>${Object.keys(problems.examples ?? {}).map((code) => html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${document.components.examples[code]?.summary}</li>`)}</ul></details>`
  }
  const media = Object.entries(answer.content ?? {})
  return html`<details><summary>${label} <span class="quiet">${answer.description}</span></summary>${media.map(([type, one]) => html`<p class="quiet">${type}</p>${mediaPart(one, document)}`)}<p class="headers">Headers: ${Object.keys(answer.headers ?? {}).map((name) => html`<code>${name}</code> `)}</p></details>`
}
