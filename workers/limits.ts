import type { JobName } from '../schemas/jobs.ts'
import { workers } from './index.ts'

/** Concurrent runs of a job: in one process, and of one account. */
export interface JobLimits {
  concurrency: number
  accountConcurrency: number
}

/** The most runs of a job in one process. */
const MAX_CONCURRENCY = 10_000
const EXAMPLE = 'import-products=4/2'

/**
 * Parses the setting WORKER_CONCURRENCY: `<job>=<in one process>/<of one account>`, separated by
 * commas. Returns the limits of the jobs that it names, and one sentence for each problem.
 */
export function parseLimits(text: string): { limits: Map<JobName, JobLimits>; problems: string[] } {
  const limits = new Map<JobName, JobLimits>()
  const problems: string[] = []
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of entries) {
    const [, name = '', concurrency, accountConcurrency] = /^([a-z-]+)=(\d{1,5})\/(\d{1,5})$/.exec(entry) ?? []
    const parsed = { concurrency: Number(concurrency), accountConcurrency: Number(accountConcurrency) }
    const problem = findProblem(entry, name, parsed) ?? (limits.has(name as JobName) ? `"${name}" is repeated` : null)
    if (problem === null) limits.set(name as JobName, parsed)
    else problems.push(`WORKER_CONCURRENCY: ${problem}`)
  }
  return { limits, problems }
}

function findProblem(entry: string, name: string, { concurrency, accountConcurrency }: JobLimits): string | null {
  if (name === '') return `"${entry}" is not <job>=<in one process>/<of one account>, such as ${EXAMPLE}`
  if (!Object.hasOwn(workers, name)) return `there is no job "${name}". The jobs are ${Object.keys(workers).join(', ')}`
  if (concurrency < 1 || concurrency > MAX_CONCURRENCY || accountConcurrency < 1) {
    return `the numbers of "${entry}" must be from 1 to ${MAX_CONCURRENCY}`
  }
  // One account must leave a worker to the others, if there is more than one.
  const max = Math.max(1, concurrency - 1)
  return accountConcurrency > max
    ? `"${entry}" allows one account to occupy all workers of a process. The second number must be at most ${max}`
    : null
}
