import type { Document, Entry } from './document.ts'
import { eventSection } from './event.ts'
import { html, prose, sample, type Html } from './html.ts'
import { layout } from './layout.ts'
import { operationSection } from './operation.ts'
import { fieldTable } from './fields.ts'

/** The whole interface on one page: the guide, every operation by its group, every shape. */
export function interfacePage(document: Document): string {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Entry => ({ method, path, operation }))
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name))
  }))
  const events = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
    post === undefined ? [] : [{ type, operation: post }]
  )
  const nav = html`<ul class="nav"><li><a href="#content">Guide</a></li>${groups.map((group) => html`<li><a class="group" href="#${group.id}">${group.name}</a><ul>${group.entries.map(navEntry)}</ul></li>`)}<li><a class="group" href="#posted">Posted to you</a><ul>${events.map(({ operation }) => navEntry({ method: 'post', operation }))}</ul></li><li><a class="group" href="#shapes">Shapes</a></li></ul>`
  const { title, version, description = '' } = document.info
  const body = html`<h1>${title}</h1><p class="quiet">Version ${version} · <code>${document.servers[0]?.url}</code></p>
<div class="guide">${prose(description)}</div>
${groups.map((group) => html`<section aria-labeledby="${group.id}"><h2 id="${group.id}">${group.name}</h2><p class="lead">${group.description}</p>${group.entries.map((entry) => operationSection(entry, document))}</section>`)}
<section aria-labeledby="posted"><h2 id="posted">Posted to you</h2><p class="lead">What webhooks receive, by the kind of event.</p>${events.map(({ type, operation }) => eventSection(type, operation, document))}</section>
<section aria-labeledby="shapes"><h2 id="shapes">Shapes</h2>${Object.entries(document.components.schemas).map(([name]) => shape(name, document))}</section>`
  return layout({ title, nav, body })
}

const navEntry = ({ method, operation }: Omit<Entry, 'path'>) =>
  html`<li><a href="#${operation.operationId}"><span class="m ${method}">${method}</span>${operation.summary}</a></li>`

function shape(name: string, { components }: Document): Html {
  const schema = components.schemas[name]!
  const example = components.examples[name]
  return html`<article id="shape-${name}" class="shape"><h3>${name}</h3>${typeof schema.description === 'string' ? prose(schema.description) : null}${fieldTable(schema)}${example === undefined ? null : html`<details><summary>Example</summary>${sample(example.value)}</details>`}</article>`
}
