import { mapInSlices } from '../../../lib/async.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { OpenApiDocument } from '../../../lib/openapi/types.ts'
import { renderExample, renderPage, renderProse } from './layout.ts'
import { renderOperation, renderWebhook } from './operation.ts'
import { renderFields, type Endpoint } from './schema.ts'

/**
 * The API documentation on one page: guide, operations by tag, webhooks and schemas. Takes about 50 ms of CPU
 * time, in slices.
 */
export async function renderApiPage(document: OpenApiDocument): Promise<string> {
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Endpoint => ({ method, path, operation }))
  )
  const sections = new Map(
    await mapInSlices(endpoints, (endpoint) => [endpoint, renderOperation(endpoint, document)] as const)
  )
  const schemas = await mapInSlices(Object.keys(document.components.schemas), (name) => renderSchema(name, document))
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name))
  }))
  const webhooks = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
    post === undefined ? [] : [{ type, operation: post }]
  )
  const webhookItems = webhooks.map(({ operation }) => renderNavItem({ method: 'post', operation }))
  const nav = html`<ul class="nav">
<li><a href="#main">Guide</a></li>
${groups.map(({ id, name, endpoints }) => renderNavGroup(id, name, endpoints.map(renderNavItem)))}
${renderNavGroup('webhook-events', 'Webhook events', webhookItems)}
<li><a class="group" href="#schemas">Schemas</a></li>
</ul>`
  const { title, version, description = '' } = document.info
  const body = html`<h1>API documentation</h1>
<p class="muted">${title} · Version ${version} · <code>${document.servers[0]?.url}</code></p>
<div class="guide introduction">${renderProse(description)}</div>
${groups.map(
  (group) => html`<section aria-labelledby="${group.id}">
<h2 id="${group.id}">${group.name}</h2>
<p class="lead">${group.description}</p>
${group.endpoints.map((endpoint) => sections.get(endpoint)!)}
</section>`
)}
<section aria-labelledby="webhook-events">
<h2 id="webhook-events">Webhook events</h2>
<p class="lead">The requests that webhooks receive, by event type.</p>
${webhooks.map(({ type, operation }) => renderWebhook(type, operation, document))}
</section>
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${schemas}
</section>`
  return renderPage({ title: `API documentation: ${title}`, nav, body })
}

const renderNavGroup = (id: string, name: string, items: Html[]): Html =>
  html`<li><a class="group" href="#${id}">${name}</a><ul>${items}</ul></li>`

function renderNavItem({ method, operation }: Omit<Endpoint, 'path'>): Html {
  const { operationId, summary } = operation
  return html`<li><a href="#${operationId}"><span class="m ${method}">${method}</span>${summary}</a></li>`
}

function renderSchema(name: string, { components }: OpenApiDocument): Html {
  const schema = components.schemas[name]!
  const example = components.examples[name]
  return html`<article id="schema-${name}" class="schema">
<h3>${name}</h3>
${typeof schema.description === 'string' ? renderProse(schema.description) : null}
${renderFields(schema)}
${example === undefined ? null : html`<details><summary>Example</summary>${renderExample(example.value)}</details>`}
</article>`
}
