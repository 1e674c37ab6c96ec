import type { InterfaceDocument } from './types.ts'

type Table = Record<string, unknown>

/** Takes out the parts that nothing refers to, and then those that only they referred to. */
export function prune(document: InterfaceDocument): InterfaceDocument {
  const { securitySchemes, ...all } = document.components
  let parts = all
  let size: number
  do {
    size = count(parts)
    const used = new Set(JSON.stringify({ ...document, components: parts }).match(/#\/components\/[^"]+/g))
    const kept = Object.entries(parts).map(([kind, table]) => [
      kind,
      usedOf(table, (name) => used.has(`#/components/${kind}/${name}`))
    ])
    parts = Object.fromEntries(kept) as typeof all
  } while (count(parts) < size)
  return { ...document, components: { ...parts, securitySchemes } }
}

const usedOf = (table: Table, isUsed: (name: string) => boolean): Table =>
  Object.fromEntries(Object.entries(table).filter(([name]) => isUsed(name)))
const count = (parts: object) =>
  Object.values(parts).reduce((sum: number, table: Table) => sum + Object.keys(table).length, 0)
