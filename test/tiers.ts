import { globSync } from 'node:fs'
import path from 'node:path'

export const TIERS = ['fast', 'scaled', 'browser', 'stress'] as const
export type Tier = (typeof TIERS)[number]

const ROOT = path.resolve(import.meta.dirname, '..')
const SUFFIX = /\.(scaled|browser|stress)\.test\.ts$/

/**
 * Tests of the fast tier whose result depends on the profile: they store, queue, lock or count
 * through the ports. The scaled tier runs them again over MongoDB and Redis. Everything else runs
 * once.
 */
const DEPENDS_ON_PROFILE = [
  'test/bin/svc/import/products.test.ts',
  'test/bin/svc/queues.test.ts',
  'test/plugins/idempotency.test.ts',
  'test/routes/api/{account,audit,keys,projects,webhooks}.test.ts',
  'test/routes/api/admin/*.test.ts',
  'test/routes/api/v1/blogs/{publication,slugs,writing}.test.ts',
  'test/routes/api/v1/products/*.test.ts',
  'test/routes/health/*.test.ts',
  'test/services/auth/{costs-nothing,limits}.test.ts',
  'test/services/{audit,health,leases,slices,storage,sweeper,usage}.test.ts',
  'test/services/imports/files.test.ts',
  'test/services/optimizer/{index,unique-texts}.test.ts',
  'test/services/products/{images,write}.test.ts',
  'test/services/transfer/import.test.ts',
  'test/services/visual-checks/run-check.test.ts',
  'test/services/webhooks/{delivery,endpoints,event-trimmer,fan-out,recovery,rotation}.test.ts'
]

/** Stress tests over MongoDB and Redis: those of several processes, and those whose result depends on the profile. */
const STRESS_SCALED = [
  'test/stress/scaled/*.stress.test.ts',
  'test/stress/{crash,fairness,fuzz,headers,idempotency,isolation}.stress.test.ts',
  'test/stress/{import-crash,import-many,no-plaintext,rotation,slugs}.stress.test.ts',
  'test/stress/product-{events,parallel,prices}.stress.test.ts',
  'test/stress/webhooks-{chaos,neighbor,rotate}.stress.test.ts'
]

const find = (patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).toSorted()

/** The tier of a test file, by its suffix. */
export const tierOf = (file: string): Tier => (SUFFIX.exec(file)?.[1] ?? 'fast') as Tier

export interface Run {
  profile: 'embedded' | 'scaled'
  /** Relative to the root, in alphabetical order. */
  files: string[]
}

/** The runs of a tier. The stress tier has two: without servers, and over MongoDB and Redis. */
export function runsOf(tier: Tier): Run[] {
  const own = find(['test/**/*.test.ts']).filter((file) => tierOf(file) === tier)
  if (tier === 'scaled') {
    const shared = find(DEPENDS_ON_PROFILE).filter((file) => tierOf(file) === 'fast')
    return [{ profile: 'scaled', files: [...own, ...shared] }]
  }
  if (tier !== 'stress') return [{ profile: 'embedded', files: own }]
  return [
    { profile: 'embedded', files: own.filter((file) => !file.startsWith('test/stress/scaled/')) },
    { profile: 'scaled', files: find(STRESS_SCALED) }
  ]
}

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
const expandBraces = (pattern: string): string[] => {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  return choices === undefined
    ? [pattern]
    : choices.split(',').flatMap((choice) => expandBraces(before + choice + after))
}

/** Patterns above that match no file. A moved test would otherwise leave the scaled tier unnoticed. */
export const deadPatterns = (): string[] =>
  [...DEPENDS_ON_PROFILE, ...STRESS_SCALED].flatMap(expandBraces).filter((pattern) => find([pattern]).length === 0)
