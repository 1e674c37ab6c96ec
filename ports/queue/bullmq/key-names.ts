import type { JobName } from '../../../schemas/jobs.ts'

/**
 * The start of all key names. The braces keep the keys on one node of a Redis Cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags).
 */
export const keyPrefix = (prefix: string): string => `{${prefix}}:queue`

/** The names of the keys of one queue: those of BullMQ, and those of the accounts' turns. */
export interface KeyNames {
  wait: string
  active: string
  delayed: string
  failed: string
  marker: string
  stalled: string
  accountLimit: string
  /** The id of the job in `wait` that was last put before those of accounts with something running. */
  lastIdle: string
  /** The same for accounts whose runs took little time lately. */
  lastLight: string
  /** How long the runs of the account took lately that used most. */
  mostUsed: string
  /** How long the longest run lately took, of any account. */
  longestOfAll: string
  /** The number of starts. */
  starts: string
  /** The ids of runs in progress, by the time when they started. */
  started: string
  /** The ids of jobs of slow accounts that wait until another one of a slow account has ended. */
  held: string
  /** How many runs of slow accounts each worker may have (slow-run-limits.ts). */
  workers: string
  account: (account: string, type: 'parked' | 'running' | 'next' | 'used' | 'longest' | 'slow') => string
  lock: (id: string) => string
  job: (id: string) => string
  deduplication: (key: string) => string
}

/** The key names of the jobs of one name, as BullMQ builds them. */
export function keyNames(prefix: string, name: JobName): KeyNames {
  const key = (type: string): string => `${keyPrefix(prefix)}:${name}:${type}`
  return {
    wait: key('wait'),
    active: key('active'),
    delayed: key('delayed'),
    failed: key('failed'),
    marker: key('marker'),
    stalled: key('stalled'),
    accountLimit: key('account-limit'),
    lastIdle: key('last-idle'),
    lastLight: key('last-light'),
    mostUsed: key('most-used'),
    longestOfAll: key('longest'),
    starts: key('starts'),
    started: key('started'),
    held: key('held'),
    workers: key('workers'),
    account: (account, type) => key(`account:${type}:${account}`),
    lock: (id) => key(`${id}:lock`),
    job: key,
    deduplication: (id) => key(`de:${id}`)
  }
}

/** The highest score in `delayed` of a due job. BullMQ builds scores from a time and 12 bits. */
export const maxDueScore = (now: number): number => (now + 1) * 0x1000 - 1

/**
 * The scores in `delayed` of jobs that wait for the turn of their account (lua/turns.lua): this
 * number + 256 × the Unix time in milliseconds since when the job is parked.
 */
export const MIN_PARKED_SCORE = 2 ** 60
export const toParkedAt = (score: number): number => (score - MIN_PARKED_SCORE) / 256
