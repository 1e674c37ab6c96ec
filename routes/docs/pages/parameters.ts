import type { Document, Entry } from './document.ts'
import { rowTable } from './fields.ts'
import { html, type Html } from './html.ts'

/** What an operation takes besides its body, by where it stands. */
export function parameters(operation: Entry['operation'], { components }: Document): Html | null {
  const all = (operation.parameters ?? []).map((given) =>
    '$ref' in given ? components.parameters[given.$ref.split('/').at(-1)!]! : given
  )
  if (all.length === 0) return null
  const groups = Object.entries(Object.groupBy(all, (one) => one.in))
  const names: Record<string, string> = { path: 'In the path', query: 'In the query', header: 'In the headers' }
  return html`${groups.map(([place, list]) => html`<h4>${names[place]}</h4>${rowTable(list!.map(({ name, schema, description, required }) => ({ name, schema: { ...schema, description }, required: required === true })))}`)}`
}
