import { html, trustedHtml, type Html } from '../../../lib/html.ts'
import { STATUS_CODES } from '../../../lib/http/node-http.ts'
import type { OpenApiDocument, Operation, Response } from '../../../lib/openapi/types.ts'
import { renderCurl } from './curl.ts'
import { renderExample, renderProse } from './layout.ts'
import { renderMedia, renderParameters, type Endpoint } from './schema.ts'

/** An operation: access, parameters, body, a curl command and all responses. */
export function renderOperation(endpoint: Endpoint, document: OpenApiDocument): Html {
  const { method, path, operation } = endpoint
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    renderResponse(status, resolve(response, document), document)
  )
  // Long paths may break before each slash.
  const breakablePath = path.split(/(?=\/)/).flatMap((segment) => [trustedHtml('<wbr>'), segment])
  return html`<article id="${operation.operationId}" class="operation">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="line">
<span class="m ${method}">${method}</span><code>${breakablePath}</code>
<span class="pill">${describeAccess(operation)}</span>
</p>
${renderProse(operation.description ?? '')}
${renderParameters(operation, document)}
${renderBodies(operation, document)}
<h4>Example request</h4>${renderExample(renderCurl(endpoint, document))}
<h4>Responses</h4><div class="responses">${responses}</div>
</article>`
}

/** The request that a webhook receives for one event type. */
export function renderWebhook(type: string, operation: Operation, document: OpenApiDocument): Html {
  return html`<article id="${operation.operationId}" class="operation">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="line"><span class="m post">post</span><code>${type}</code><span class="pill">to your receiver</span></p>
${renderProse(operation.description ?? '')}
${renderParameters(operation, document)}
${renderBodies(operation, document)}
</article>`
}

const renderBodies = ({ requestBody }: Operation, document: OpenApiDocument): Html[] =>
  Object.entries(requestBody?.content ?? {}).map(
    ([type, media]) => html`<h4>Body <span class="muted">${type}</span></h4>${renderMedia(media, document)}`
  )

function describeAccess(operation: Operation): string {
  if (operation['x-scope'] !== undefined) return `API key · ${operation['x-scope']}`
  return (operation.security ?? []).length === 0 ? 'public' : 'session'
}

const resolve = (response: Operation['responses'][string], { components }: OpenApiDocument): Response =>
  '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response

function renderResponse(status: string, response: Response, document: OpenApiDocument): Html {
  const label = html`<span class="status s${status[0]!}">${status}</span> ${STATUS_CODES[status]}`
  const problems = response.content?.['application/problem+json']
  if (problems !== undefined) {
    const codes = Object.keys(problems.examples ?? {})
    const items = codes.map((code) => {
      const summary = document.components.examples[code]?.summary
      return html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${summary}</li>`
    })
    return html`<details>
<summary>${label} <span class="muted">${codes.join(', ')}</span></summary>
<ul>${items}</ul>
</details>`
  }
  const bodies = Object.entries(response.content ?? {}).map(
    ([type, media]) => html`<p class="muted">${type}</p>${renderMedia(media, document)}`
  )
  const headers = Object.keys(response.headers ?? {}).map((name) => html`<code>${name}</code> `)
  return html`<details>
<summary>${label} <span class="muted">${response.description}</span></summary>
${bodies}
<p class="headers">Headers: ${headers}</p>
</details>`
}
