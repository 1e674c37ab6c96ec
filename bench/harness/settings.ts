import { randomUUID } from 'node:crypto'

/** The settings of a service that is measured, and what deletes its database. */
export interface ServiceSettings {
  /** Variables for `buildApp` or a server process. */
  env: Record<string, string>
  /** Deletes the database, if there is one. The data folder belongs to the caller. */
  remove: () => Promise<void>
}

/** Whether MONGODB_URL (which ends in a slash) and REDIS_URL are set. */
export const isScaled = (): boolean => process.env.MONGODB_URL !== undefined && process.env.REDIS_URL !== undefined

/**
 * Settings of a new, empty service: with a new database in the scaled profile, otherwise in the folder.
 * `mongodbOptions` follow the name of the database, such as `?monitorCommands=true`.
 */
export async function prepareSettings(dataDir: string, mongodbOptions = ''): Promise<ServiceSettings> {
  const shared = {
    DATA_DIR: dataDir,
    DEMO_CONTENT: 'off',
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW: '127.0.0.1/32',
    BROWSER_SANDBOX: 'off',
    SESSION_SECRET: 'a secret for benchmarks, long enough'
  }
  if (!isScaled()) return { env: shared, remove: async () => {} }
  const MONGODB_URL = `${process.env.MONGODB_URL}bench_${randomUUID().replaceAll('-', '')}${mongodbOptions}`
  const { openDatabase } = await import('../../ports/store/mongodb/database.ts')
  const { migrate } = await import('../../ports/store/mongodb/migrate.ts')
  const { prepareFiles } = await import('../../ports/files/open.ts')
  const database = await openDatabase(MONGODB_URL)
  await migrate(database)
  await prepareFiles({ mongodbUrl: MONGODB_URL })
  await database.close()
  return {
    env: {
      ...shared,
      MONGODB_URL,
      REDIS_URL: process.env.REDIS_URL!,
      REDIS_PREFIX: `bench-${randomUUID()}`,
      SECRETS_KEY: Buffer.alloc(32, 'a key for benchmarks').toString('base64')
    },
    async remove() {
      const opened = await openDatabase(MONGODB_URL)
      await opened.db.dropDatabase()
      await opened.close()
    }
  }
}
