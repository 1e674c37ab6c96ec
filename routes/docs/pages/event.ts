import type { Document, Entry } from './document.ts'
import { html, prose, type Html } from './html.ts'
import { mediaPart } from './media.ts'
import { parameters } from './parameters.ts'

/** What is posted to a webhook for one kind of event. */
export function eventSection(type: string, operation: Entry['operation'], document: Document): Html {
  return html`<article id="${operation.operationId}" class="operation">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="line"><span class="m post">post</span><code>${type}</code><span class="pill">to your receiver</span></p>
${prose(operation.description ?? '')}
${parameters(operation, document)}
${Object.entries(operation.requestBody?.content ?? {}).map(([media, body]) => html`<h4>Body <span class="quiet">${media}</span></h4>${mediaPart(body, document)}`)}
</article>`
}
