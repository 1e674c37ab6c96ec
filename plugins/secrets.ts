import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fp from 'fastify-plugin'
import { StartError } from '../errors.ts'
import type { Config } from '../schemas/config.ts'

/**
 * What signs and encrypts. Where the environment gives none, it is made once and kept in
 * DATA_DIR/secrets, readable by the owner alone.
 */
export interface Secrets {
  session:
    | string
    | undefined /** 32 bytes each. The first encrypts what must be read back and signs preview links; what the others made is still good. */
  keys: Buffer[]
}

declare module 'fastify' {
  interface FastifyInstance {
    secrets: Secrets
  }
}

/**
 * The secret of this name, made when there is none yet. Throws a StartError when the folder does
 * not let it be kept.
 */
export function keptSecret(dataDir: string, name: string): string {
  try {
    return readOrMake(path.join(dataDir, 'secrets', name))
  } catch (error) {
    throw new StartError(
      `The secrets cannot be kept in ${path.join(dataDir, 'secrets')}: ${(error as Error).message}. Choose another DATA_DIR.`,
      { cause: error }
    )
  }
}

function readOrMake(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    // `wx` so that of two first starts at once only one makes it.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * The keys of SECRETS_KEY, or the one that is kept in the data folder: 32 bytes each, the first one
 * encrypts. Throws a StartError when it cannot be kept.
 */
export function secretsKeysOf(config: Config): Buffer[] {
  return (config.SECRETS_KEY ?? keptSecret(config.DATA_DIR, 'key'))
    .split(',')
    .map((key) => Buffer.from(key.trim(), 'base64'))
}

export default fp(
  async (app) => {
    const { config } = app
    const session =
      config.SESSION_SECRET ??
      (config.SESSION_JWKS_URL === undefined ? keptSecret(config.DATA_DIR, 'session') : undefined)
    app.decorate('secrets', { session, keys: secretsKeysOf(config) })
  },
  { name: 'secrets', dependencies: ['config', 'store'] }
)
