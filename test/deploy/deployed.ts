import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseWorkers } from '../../plugins/config.ts'
import type { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { ROOT } from './dockerfile.ts'

/** The jobs that a process with these settings runs. */
export function workedBy({ ROLE, WORKERS }: Config): string[] {
  if (ROLE === 'api') return []
  const chosen = parseWorkers(WORKERS)
  return chosen.length === 0 ? Object.keys(Jobs) : chosen
}

/** Seconds that a process needs at most to stop: the delay, and the time for running requests and jobs. */
export function secondsToStop(): number {
  const source = readFileSync(path.join(ROOT, 'bin/start.ts'), 'utf8')
  const times = ['STOP_MS', 'DEFAULT_SHUTDOWN_DELAY_MS'].map((name) => {
    const [, digits] = new RegExp(`const ${name} = ([\\d_]+)`).exec(source)!
    return Number(digits!.replaceAll('_', ''))
  })
  return times.reduce((sum, ms) => sum + ms, 0) / 1000
}
