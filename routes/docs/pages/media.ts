import type { Document, Entry } from './document.ts'
import { fieldTable, typeOf } from './fields.ts'
import { html, inline, sample, type Html } from './html.ts'

type Media = NonNullable<Entry['operation']['requestBody']>['content'][string]

/** A body: its fields and an example. */
export function mediaPart(media: Media, document: Document): Html {
  const { schema = {} } = media
  const example = exampleOf(media, document)
  return html`<p>${typeOf(schema)}${typeof schema.description === 'string' ? html`: ${inline(schema.description)}` : null}</p>${fieldTable(schema)}${example === undefined ? null : sample(example)}`
}

/** The example of a body, wherever the document keeps it. */
export function exampleOf({ example, examples = {} }: Media, { components }: Document): unknown {
  const first = Object.values(examples)[0]
  if (first === undefined) return example
  return '$ref' in first ? components.examples[first.$ref.split('/').at(-1)!]?.value : first.value
}
