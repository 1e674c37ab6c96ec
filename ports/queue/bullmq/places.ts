import type { JobName } from '../../../schemas/jobs.ts'

/**
 * With what the names of all keys begin; the braces keep them on one node of a Redis Cluster
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags).
 */
export const keyPrefix = (prefix: string): string => `{${prefix}}:queue`

/** The names of BullMQ's own keys of one queue. */
export interface Places {
  wait: string
  active: string
  delayed: string
  failed: string
  job: (id: string) => string
  deduplication: (key: string) => string
}

/** The places of the jobs of a name; as BullMQ names them. */
export function placesOf(prefix: string, name: JobName): Places {
  const key = (type: string): string => `${keyPrefix(prefix)}:${name}:${type}`
  return {
    wait: key('wait'),
    active: key('active'),
    delayed: key('delayed'),
    failed: key('failed'),
    job: key,
    deduplication: (id) => key(`de:${id}`)
  }
}

/**
 * The highest score in `delayed` of a job whose time has come; as BullMQ makes scores, a time and
 * 12 bits.
 */
export const highestDueScore = (now: number): number => (now + 1) * 0x1000 - 1
