import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['bin', 'lib', 'plugins', 'ports', 'routes', 'schemas', 'services', 'workers', 'console/src']
/** An import or export that exists at runtime, of a file of ours. */
const IMPORT = /^(?:import|export)\s(?!type\s)[^'"]*?from '(\.[^']+)'/gm

/** The files that import each other in a circle, by Tarjan's algorithm. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    stack.push(file)
    for (const imported of imports.get(file) ?? []) {
      if (!order.has(imported)) visit(imported)
      if (stack.includes(imported)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(imported)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1 || imports.get(file)?.includes(file)) cycles.push(component.sort())
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return cycles
}

t.test('cycles are found', async (t) => {
  const cycles = findCycles(
    new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b', 'e']],
      ['d', ['e']],
      ['e', []],
      ['f', ['f']]
    ])
  )
  t.same(cycles, [['b', 'c'], ['f']])
})

t.test('no files import each other in a circle', async (t) => {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
  const imports = new Map(
    files.map((file) => {
      const source = readFileSync(path.join(ROOT, file), 'utf8')
      const targets = [...source.matchAll(IMPORT)].map(([, target]) => path.join(path.dirname(file), target!))
      return [file, targets]
    })
  )
  t.ok([...imports.values()].flat().length > 1_000)
  t.same(findCycles(imports), [])
})
