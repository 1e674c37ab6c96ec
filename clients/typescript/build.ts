import { execFileSync } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * Compiles `src` into `dist`: modules for every runtime, and their types. The compiler rewrites
 * `./x.ts` to `./x.js` in modules only, so that the types are rewritten here.
 */

const FOLDER = import.meta.dirname
const DIST = path.join(FOLDER, 'dist')
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

await rm(DIST, { recursive: true, force: true })
execFileSync(process.execPath, [TSC, '-p', FOLDER], { stdio: 'inherit' })
for (const name of await readdir(DIST)) {
  if (!name.endsWith('.d.ts')) continue
  const file = path.join(DIST, name)
  const types = await readFile(file, 'utf8')
  await writeFile(file, types.replaceAll(/(from ')(\.\/[a-z-]+)\.ts'/g, "$1$2.js'"))
}
await copyFile(path.join(FOLDER, '..', '..', 'LICENSE'), path.join(FOLDER, 'LICENSE'))
