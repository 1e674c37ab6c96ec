import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { renderClientTypes } from './docs/client-types.ts'
import { renderConfigurationPage } from './docs/configuration.ts'
import { renderErrorsPage } from './docs/errors.ts'
import { renderOpenApiDocument } from './docs/openapi.ts'
import { renderVisualCheckPage } from './docs/visual-check.ts'

const ROOT = path.join(import.meta.dirname, '..')

/** The generated files by path. */
const pages: Record<string, () => string | Promise<string>> = {
  'clients/typescript/src/openapi.ts': renderClientTypes,
  'docs/configuration.md': renderConfigurationPage,
  'docs/errors.md': renderErrorsPage,
  'docs/openapi.json': renderOpenApiDocument,
  'docs/visual-check.md': renderVisualCheckPage
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, render] of Object.entries(pages)) {
  const file = path.join(ROOT, name)
  const text = await render()
  const current = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (current === text) continue
  if (check) stale.push(name)
  else await writeFile(file, text)
}
if (stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Run "npm run docs".\n`)
  process.exitCode = 1
}
