import { METHODS, type DraftOperation, type Parameter, type PathItem } from './types.ts'

type Draft = PathItem<DraftOperation>

/**
 * The paths as OpenAPI wants them: no slash at the end, and templates that differ in the names of
 * their parameters alone are one
 * (OpenAPI 3.1.1, section 4.8.8); the name that was there first stays.
 */
export function tidyPaths(paths: Record<string, Draft>): Record<string, Draft> {
  const tidy: Record<string, Draft> = {}
  const templates = new Map<string, string>()
  const byReads = Object.entries(paths).sort(
    ([, a], [, b]) => Number(b.get !== undefined) - Number(a.get !== undefined)
  )
  for (const [written, item] of byReads) {
    const path = written.length > 1 ? written.replace(/\/$/, '') : written
    const shape = path.replace(/\{[^}]+\}/g, '{}')
    const first = templates.get(shape) ?? path
    templates.set(shape, first)
    for (const method of METHODS) {
      const operation = item[method]
      if (operation !== undefined) {
        ;(tidy[first] ??= {})[method] = first === path ? operation : renamed(operation, names(path), names(first))
      }
    }
  }
  return Object.fromEntries(Object.entries(tidy).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const names = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)

function renamed(operation: DraftOperation, from: string[], to: string[]): DraftOperation {
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const at = 'in' in parameter && parameter.in === 'path' ? from.indexOf(parameter.name) : -1
    if (at === -1 || from[at] === to[at]) return parameter
    return { ...(parameter as Parameter), name: to[at]!, description: `Here the ${words(from[at]!)}` }
  })
  return { ...operation, parameters }
}

/** `blogId` as `blog id`. */
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
