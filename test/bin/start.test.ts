import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'

const PRELOAD = new URL('../fixtures/start/loaded-modules.mjs', import.meta.url)

t.test('a start loads no validator, and no parser for TypeScript once its modules are cached', async (t) => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'loaded.txt')
  const env = {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    LOADED_MODULES_FILE: file,
    NODE_COMPILE_CACHE: '',
    TMPDIR: temporaryFolder(t)
  }
  const start = async (): Promise<string> => {
    const server = await startServer(t, folder, env)
    t.strictSame(await server.end('SIGTERM'), { code: 0, signal: null })
    return readFileSync(file, 'utf8')
  }
  t.match(await start(), /amaro/, 'the first start removes the types of all modules')
  const loaded = await start()
  t.match(loaded, /NativeModule http/)
  t.match(loaded, /node_modules\/fastify\//)
  t.notMatch(loaded, /amaro/)
  t.notMatch(loaded, /node_modules\/(?:ajv|fast-json-stringify\/index)/)
})
