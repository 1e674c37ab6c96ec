import type { InterfaceDocument } from './types.ts'

/** Takes out the parts that nothing refers to, and then those that only they referred to. */
export function prune (document: InterfaceDocument): InterfaceDocument {
  const { securitySchemes, ...parts } = document.components
  for (;;) {
    const used = new Set(JSON.stringify({ ...document, components: parts }).match(/#\/components\/[^"]+/g))
    let removed = false
    for (const [kind, table] of Object.entries(parts)) {
      for (const name of Object.keys(table)) {
        if (used.has(`#/components/${kind}/${name}`)) continue
        delete (table as Record<string, unknown>)[name]
        removed = true
      }
    }
    if (!removed) return { ...document, components: { ...parts, securitySchemes } }
  }
}
