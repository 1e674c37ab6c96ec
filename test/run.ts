import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { findServers } from './servers/index.ts'
import { filesOf, TIERS, tierOf, type Tier } from './tiers.ts'

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

/** Runs tap on these files. Resolves to its exit code. */
async function runTap(tier: Tier, env: Record<string, string>): Promise<number> {
  process.stdout.write(`# tier: ${tier}\n`)
  const child = spawn(
    process.execPath,
    [TAP, `--jobs=${availableParallelism()}`, ...options, ...(files.length > 0 ? files : filesOf(tier))],
    {
      env: {
        ...process.env,
        // Compiled modules are shared between the test processes: most of them load the whole service.
        NODE_COMPILE_CACHE: path.join(tmpdir(), 'blog-service-compile-cache'),
        TEST_PROFILE: tier === 'scaled' ? 'scaled' : 'embedded',
        MONGODB_URL: undefined,
        REDIS_URL: undefined,
        ...env
      },
      stdio: 'inherit'
    }
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function runTier(tier: Tier): Promise<boolean> {
  if (tier === 'fast') return (await runTap(tier, {})) === 0
  if (tier === 'browser') return (await runTap(tier, record ? { RECORD_SNAPSHOTS: '1' } : {})) === 0
  const servers = await findServers()
  try {
    if (servers.missing.length > 0) {
      for (const sentence of servers.missing) process.stderr.write(`Missing for the ${tier} tier: ${sentence}\n`)
      return false
    }
    return (await runTap(tier, servers.env)) === 0
  } finally {
    await servers.stop()
  }
}

let passed = true
for (const tier of tiers) passed = (await runTier(tier)) && passed
process.exit(passed ? 0 : 1)
