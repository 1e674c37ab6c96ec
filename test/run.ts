import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { findServers } from './servers/index.ts'
import { runsOf, TIERS, tierOf, type Run, type Tier } from './tiers.ts'

const USAGE = `Usage: node test/run.ts [TIER] [--record] [FILE …] [TAP OPTION …]

Runs the tests of a tier: fast (default), scaled, browser, stress, or all of them.
Files run in their own tier; with "scaled", any file runs over MongoDB and Redis.

  --record   browser tier: record the page snapshots in test/data/page-snapshots anew
`

const TAP = path.resolve(import.meta.dirname, '../node_modules/.bin/tap')

const args = process.argv.slice(2)
if (args.includes('--help')) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const isTier = (word: string | undefined): word is Tier => (TIERS as readonly (string | undefined)[]).includes(word)
const named = isTier(args[0]) || args[0] === 'all' ? (args.shift() as Tier | 'all') : undefined
const record = args.includes('--record')
const files = args.filter((word) => word.endsWith('.test.ts'))
const options = args.filter((word) => word !== '--record' && !files.includes(word))
const tiers = named === 'all' ? TIERS : [named ?? (files[0] === undefined ? 'fast' : tierOf(files[0]))]

/** Runs tap on the files of a run. Resolves to its exit code. */
async function runTap(tier: Tier, run: Run, env: Record<string, string>): Promise<number> {
  process.stdout.write(`# tier: ${tier}, profile: ${run.profile}\n`)
  const child = spawn(process.execPath, [TAP, `--jobs=${availableParallelism()}`, ...options, ...run.files], {
    env: {
      ...process.env,
      // Compiled modules are shared between the test processes: most of them load the whole service.
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'blog-service-compile-cache'),
      TEST_PROFILE: run.profile,
      MONGODB_URL: undefined,
      REDIS_URL: undefined,
      ...env
    },
    stdio: 'inherit'
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function runTier(tier: Tier): Promise<boolean> {
  const runs = runsOf(tier)
  const servers = tier === 'scaled' || tier === 'stress' ? await findServers() : null
  try {
    for (const sentence of servers?.missing ?? []) {
      process.stderr.write(`Missing for the ${tier} tier: ${sentence}\n`)
    }
    if (servers !== null && servers.missing.length > 0) return false
    const env = { ...servers?.env, ...(record ? { RECORD_SNAPSHOTS: '1' } : {}) }
    // Named files run in each run of the tier that contains them.
    const chosen = runs
      .map((run) => ({ ...run, files: run.files.filter((file) => files.length === 0 || files.includes(file)) }))
      .filter((run) => run.files.length > 0)
    let passed = true
    for (const run of chosen.length > 0 ? chosen : [{ ...runs[0]!, files }]) {
      passed = (await runTap(tier, run, env)) === 0 && passed
    }
    return passed
  } finally {
    await servers?.stop()
  }
}

let passed = true
for (const tier of tiers) passed = (await runTier(tier)) && passed
process.exit(passed ? 0 : 1)
