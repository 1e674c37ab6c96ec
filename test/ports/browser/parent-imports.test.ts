import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** The modules that a module loads, without type imports, and the packages that they load. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!file.endsWith('.ts')) return seen
  const source = await readFile(path.join(ROOT, file), 'utf8')
  const imports = [...source.matchAll(/(?:^import (?!type )[^'"]*?|^export [^'"]*?from |\bimport\()'([^']+)'/gms)]
  for (const [, specifier] of imports) {
    const isOwn = specifier!.startsWith('.')
    await loadedBy(isOwn ? path.join(path.dirname(file), specifier!) : specifier!, seen)
  }
  return seen
}

const isForbidden = (module: string): boolean =>
  /^(?:playwright|@sparticuz\/chromium)/.test(module) || module.includes('/playwright/child/')

t.test('the service loads neither the browser driver nor modules of browser processes', async (t) => {
  const loaded = [...(await loadedBy('ports/browser/open.ts'))]
  t.ok(loaded.includes('ports/browser/playwright/process/browser-process.ts'))
  t.strictSame(loaded.filter(isForbidden), [])
  const ofChild = [...(await loadedBy('ports/browser/playwright/child/main.ts'))]
  t.ok(ofChild.includes('playwright'), 'the search finds what the browser process loads')
})
