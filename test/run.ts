import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { findServers } from './servers.ts'

/**
 * Runs the tests in both profiles: embedded, and over MongoDB and Redis where these can be found.
 * `--only embedded|scaled` runs one of them; all other words
 * are tap's. Says loudly what could not be run; under CI that is a failure.
 */
const args = process.argv.slice(2)
const only = args[0] === '--only' ? args.splice(0, 2)[1] : undefined
const servers = await findServers()

/**
 * The ports' own tests try every adapter by themselves, in whichever profile. Several processes
 * there are in the scaled one alone. What a page shows is judged
 * without a store or a queue.
 */
const LEFT_OUT = {
  embedded: ['test/stress/scaled/**'],
  scaled: ['test/ports/**', 'test/services/visual-checks/*.browser.test.ts']
}

async function runTap(profile: 'embedded' | 'scaled'): Promise<number> {
  process.stdout.write(`# profile: ${profile}\n`)
  const env = { ...process.env, ...servers.env, TEST_PROFILE: profile, MONGODB_URL: undefined, REDIS_URL: undefined }
  const files = args.every((word) => word.startsWith('-'))
    ? LEFT_OUT[profile].map((pattern) => `--exclude=${pattern}`)
    : []
  const child = spawn(
    process.execPath,
    [path.resolve(import.meta.dirname, '../node_modules/.bin/tap'), ...files, ...args],
    { env, stdio: 'inherit' }
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

const missing = servers.missing.map((what) => `NOT RUN: ${what}\n`).join('')
let failures = 0
if (only !== 'scaled' && (await runTap('embedded')) !== 0) failures += 1
if (only !== 'embedded' && servers.missing.length === 0 && (await runTap('scaled')) !== 0) failures += 1
await servers.stop()
if (missing !== '' && only !== 'embedded') {
  process.stderr.write(`\n${missing}`)
  if (process.env.CI !== undefined || only === 'scaled') failures += 1
}
process.exit(failures === 0 ? 0 : 1)
