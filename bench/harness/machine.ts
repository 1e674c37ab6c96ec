import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { VERSION } from '../../lib/version.ts'

/** What a result depends on besides the code of the benchmark. */
export interface Machine {
  version: string
  commit: string | null
  node: string
  platform: string
  cpu: string
  cores: number
  memoryGb: number
  /** The profile of the service: `scaled` with MONGODB_URL and REDIS_URL, otherwise `embedded`. */
  profile: 'embedded' | 'scaled'
}

export function describeMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  return {
    version: VERSION,
    commit: readCommit(),
    node: process.version,
    platform: `${os.platform()} ${os.arch()} ${os.release()}`,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    profile: env.MONGODB_URL !== undefined || env.REDIS_URL !== undefined ? 'scaled' : 'embedded'
  }
}

/** The load average of the last minute: work of others that distorts a result. */
export function loadAverage(): number {
  return Number((os.loadavg()[0] ?? 0).toFixed(1))
}

/** The commit of the code, with `+` if files differ from it. Null outside a Git repository. */
function readCommit(): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no').trim() !== ''
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? '+' : '')
  } catch {
    return null
  }
}
