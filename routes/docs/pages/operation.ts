import { STATUS_CODES } from 'node:http'
import { curl } from './curl.ts'
import { fieldTable, rowTable, typeOf } from './fields.ts'
import { html, inline, prose, sample, type Html } from './html.ts'
import type { Document, Entry } from './interface.ts'

type Operation = Entry['operation']
type Media = NonNullable<Operation['requestBody']>['content'][string]
type Answer = Exclude<Operation['responses'][string], { $ref: string }>

/** Everything about one operation: who may call it, what it takes, every answer. */
export function operationSection (entry: Entry, document: Document): Html {
  const { method, path, operation } = entry
  const statuses = Object.entries(operation.responses).map(([status, answer]) => answerItem(status, resolved(answer, document), document))
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

function access (operation: Operation): Html {
  if (operation['x-scope'] !== undefined) return html`<span class="pill">key · ${operation['x-scope']}</span>`
  return (operation.security ?? []).length === 0 ? html`<span class="pill">public</span>` : html`<span class="pill">session</span>`
}

/** What an operation takes besides its body, by where it stands. */
export function parameters (operation: Operation, { components }: Document): Html | null {
  const all = (operation.parameters ?? []).map((given) => '$ref' in given ? components.parameters[given.$ref.split('/').at(-1)!]! : given)
  if (all.length === 0) return null
  const groups = Object.entries(Object.groupBy(all, (one) => one.in))
  const names: Record<string, string> = { path: 'In the path', query: 'In the query', header: 'In the headers' }
  return html`${groups.map(([place, list]) => html`<h4>${names[place]}</h4>${rowTable(list!.map(({ name, schema, description, required }) => ({ name, schema: { ...schema, description }, required: required === true })))}`)}`
}

function resolved (answer: Operation['responses'][string], { components }: Document): Answer {
  return '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1)!]! : answer
}

function answerItem (status: string, answer: Answer, document: Document): Html {
  const label = html`<span class="status s${status[0]!}">${status}</span> ${STATUS_CODES[status]}`
  const problems = answer.content?.['application/problem+json']
  if (problems !== undefined) {
    return html`<details><summary>${label} <span class="quiet">${Object.keys(problems.examples ?? {}).join(', ')}</span></summary><ul>${Object.keys(problems.examples ?? {}).map((code) => html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${document.components.examples[code]?.summary}</li>`)}</ul></details>`
  }
  const media = Object.entries(answer.content ?? {})
  return html`<details><summary>${label} <span class="quiet">${answer.description}</span></summary>${media.map(([type, one]) => html`<p class="quiet">${type}</p>${mediaPart(one, document)}`)}<p class="headers">Headers: ${Object.keys(answer.headers ?? {}).map((name) => html`<code>${name}</code> `)}</p></details>`
}

/** A body: its fields and an example. */
export function mediaPart (media: Media, document: Document): Html {
  const { schema = {} } = media
  const example = exampleOf(media, document)
  return html`<p>${typeOf(schema)}${typeof schema.description === 'string' ? html`: ${inline(schema.description)}` : null}</p>${fieldTable(schema)}${example === undefined ? null : sample(example)}`
}

/** The example of a body, wherever the document keeps it. */
export function exampleOf ({ example, examples = {} }: Media, { components }: Document): unknown {
  const first = Object.values(examples)[0]
  if (first === undefined) return example
  return '$ref' in first ? components.examples[first.$ref.split('/').at(-1)!]?.value : first.value
}
