import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openQueue } from '../../ports/queue/open.ts'
import type { Queue } from '../../ports/queue/port.ts'
import { openStore } from '../../ports/store/open.ts'
import type { Store } from '../../ports/store/port.ts'
import { isScaled } from '../harness/settings.ts'

interface Profile {
  store: Store
  queue: Queue
  /** Closes the store and deletes its data. The queue must be closed before. */
  close: () => Promise<void>
}

/** An empty store and a queue: MongoDB with BullMQ if `isScaled`, otherwise the embedded ones. */
export async function openProfile(): Promise<Profile> {
  return isScaled() ? await openScaled() : await openEmbedded()
}

async function openEmbedded(): Promise<Profile> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-webhooks-'))
  const store = await openStore({ dataDir })
  return {
    store,
    queue: await openQueue({}),
    close: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    }
  }
}

async function openScaled(): Promise<Profile> {
  const name = `bench_webhooks_${randomUUID().replaceAll('-', '')}`
  const mongodbUrl = `${process.env.MONGODB_URL}${name}`
  const { migrateMongodb, openMongodbStore } = await import('../../ports/store/mongodb/index.ts')
  await migrateMongodb({ url: mongodbUrl, cleanup: false })
  const store = await openMongodbStore({ url: mongodbUrl })
  return {
    store,
    queue: await openQueue({ redisUrl: process.env.REDIS_URL, redisPrefix: name }),
    close: async () => {
      await store.close()
      const { openDatabase } = await import('../../ports/store/mongodb/database.ts')
      const database = await openDatabase(mongodbUrl)
      await database.db.dropDatabase()
      await database.close()
    }
  }
}
