import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fp from 'fastify-plugin'
import { StartError } from '../errors.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts'
import type { Config } from '../schemas/config.ts'
import { createSecretsKeyCheck } from '../services/secrets-key.ts'

/**
 * The secrets of the service. Secrets that are not configured are generated once and stored in
 * DATA_DIR/secrets, readable only by the owner.
 */
export interface Secrets {
  /** The HS256 secret of session tokens. Undefined when tokens are verified by a key set. */
  session: string | undefined
  /** 32 bytes each. The first key encrypts and signs, all keys decrypt and verify. */
  keys: Buffer[]
}

declare module 'fastify' {
  interface FastifyInstance {
    secrets: Secrets
  }
}

/** The stored secret of this name, generated if necessary. Throws StartError if it cannot be stored. */
export function loadSecret(dataDir: string, name: string): string {
  try {
    return readOrCreate(path.join(dataDir, 'secrets', name))
  } catch (error) {
    throw new StartError(
      `Could not store secrets in ${path.join(dataDir, 'secrets')}: ${(error as Error).message}. ` +
        'Set DATA_DIR to a writable folder.',
      { cause: error }
    )
  }
}

function readOrCreate(file: string): string {
  makePrivateFolder(path.dirname(file), [path.basename(file)])
  try {
    // With `wx`, only one of two concurrent first starts creates the file.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: PRIVATE_FILE })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** The keys of SECRETS_KEY, or the generated key. Throws StartError if it cannot be stored. */
export function loadSecretsKeys(config: Config): Buffer[] {
  return (config.SECRETS_KEY ?? loadSecret(config.DATA_DIR, 'key'))
    .split(',')
    .map((key) => Buffer.from(key.trim(), 'base64'))
}

export default fp(
  async (app) => {
    const { config } = app
    const session =
      config.SESSION_SECRET ??
      (config.SESSION_JWKS_URL === undefined ? loadSecret(config.DATA_DIR, 'session') : undefined)
    const keys = loadSecretsKeys(config)
    await createSecretsKeyCheck({ store: app.store, keys }).verify()
    app.decorate('secrets', { session, keys })
  },
  { name: 'secrets', dependencies: ['config', 'store'] }
)
