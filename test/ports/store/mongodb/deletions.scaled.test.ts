import { randomUUID } from 'node:crypto'
import type { Document } from 'mongodb'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../../../ports/store/mongodb/database.ts'
import { compoundId } from '../../../../ports/store/mongodb/documents.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createIdempotency } from '../../../../ports/store/mongodb/idempotency.ts'
import { createImports } from '../../../../ports/store/mongodb/imports.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { createRelatedIndex } from '../../../../ports/store/mongodb/related-index.ts'
import { createWebhooks } from '../../../../ports/store/mongodb/webhooks/index.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { buildImport } from '../../../contracts/store/fixtures/products.ts'
import { buildEvent, buildWebhook } from '../../../contracts/store/fixtures/webhooks.ts'
import { observeClients } from '../../../fixtures/mongodb/command-counts.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
/** More documents than the first command of a process deletes. */
const MANY = 130
const MAX = 100
/** Documents that stay. */
const OTHERS = 5

/** The documents that each command deleted, by collection. */
const deleted = new Map<string, number[]>()

observeClients((client) => {
  const collections = new Map<number, string>()
  client.on('commandStarted', ({ commandName, command, requestId }) => {
    if (commandName === 'delete') collections.set(requestId, command.delete as string)
  })
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const collection = collections.get(requestId)
    if (collection !== undefined) deleted.set(collection, [...(deleted.get(collection) ?? []), (reply as Document).n])
  })
})

async function setUp(t: Test): Promise<Database> {
  const database = await openDatabase(`${MONGODB_URL}del_${randomUUID().replaceAll('-', '')}?monitorCommands=true`)
  t.teardown(async () => {
    await database.db.dropDatabase()
    await database.close()
  })
  await migrate(database)
  return database
}

const insert = async (
  database: Database,
  { name, length }: { name: string; length: number },
  toDocument: (n: number) => Document
) => await database.collection<Document>(name).insertMany(Array.from({ length }, (_, n) => toDocument(n)))

interface Deletion {
  collections: string[]
  /** Adds documents that are deleted, and some that are not. */
  add: (database: Database) => Promise<void>
  run: (database: Database) => Promise<unknown>
  /** How many documents stay. */
  left: number[]
}

const record = buildImport({ finishedAt: minute(1), status: 'done' })
const event = buildEvent()
const webhook = buildWebhook()

const DELETIONS: Record<string, Deletion> = {
  'expired responses': {
    collections: ['idempotency_keys'],
    add: async (database) => {
      await insert(database, { name: 'idempotency_keys', length: MANY }, (n) => ({
        _id: `acme ${n}`,
        expiresAt: minute(n % 90),
        answer: null
      }))
      await createIdempotency(database).claim({
        ...{ scope: 'acme other', bodyHash: 'hash', operationId: 'operation' },
        ...{ at: minute(1), expiresAt: minute(95), staleBefore: minute(0) }
      })
    },
    run: async (database) => await createIdempotency(database).deleteExpired(minute(92)),
    left: [1]
  },
  'the failed rows of an import': {
    collections: ['import_errors', 'imports'],
    add: async (database) => {
      await createImports(database).add(record)
      for (const [importId, length] of [
        [record.id, MANY],
        ['other', OTHERS]
      ] as const) {
        await insert(database, { name: 'import_errors', length }, (line) => ({
          _id: `${importId} ${line}`,
          ...{ importId, line, step: 'a', visible: true }
        }))
      }
    },
    run: async (database) => {
      for (const { accountId, id } of await createImports(database).finishedBefore(minute(2), 9)) {
        await createImports(database).delete(accountId, id)
      }
    },
    left: [OTHERS, 0]
  },
  'an index of related blogs': {
    collections: ['related_entries', 'related_term_counts', 'related_groups', 'related_indexes'],
    add: async (database) => {
      for (const [accountId, length] of [
        ['acme', MANY],
        ['acme2', OTHERS]
      ] as const) {
        const idOf = (n: number) => compoundId(accountId, 'site', `l${n % 9}`)
        await insert(database, { name: 'related_entries', length }, (n) => ({
          _id: `${accountId} ${n}`,
          accountId,
          groupId: idOf(n)
        }))
        await insert(database, { name: 'related_term_counts', length }, (n) => ({ _id: `${idOf(n)}${n}`, blogs: 1 }))
        await insert(database, { name: 'related_groups', length }, (n) => ({
          _id: compoundId(accountId, 'site', `l${n}`),
          accountId
        }))
        await createRelatedIndex(database).setState(accountId, { version: 1, isComplete: true, afterId: null })
      }
    },
    run: async (database) => {
      const index = createRelatedIndex(database)
      if ((await index.state('acme')).version === 1) await index.clear('acme')
    },
    left: [OTHERS, OTHERS, OTHERS, 1]
  },
  'the deliveries of an old event': {
    collections: ['deliveries', 'events'],
    add: async (database) => {
      await createWebhooks(database).add(webhook, 5)
      const events = createEvents(database)
      await events.add([event])
      await events.markFannedOut('acme', [event.id])
      await insert(database, { name: 'deliveries', length: MANY }, (n) => ({
        ...{ _id: `${n}`, accountId: 'acme', eventId: event.id, status: 'delivered' },
        // An account has fewer webhooks, but as many deliveries of several events.
        ...{ webhookId: n === 110 ? webhook.id : `hook ${n}`, sequence: n + 1 }
      }))
      await insert(database, { name: 'deliveries', length: OTHERS }, (n) => ({
        ...{ _id: `other ${n}`, accountId: 'acme', eventId: 'other', status: 'delivered' },
        ...{ webhookId: `hook ${n}`, sequence: 1_000 }
      }))
    },
    run: async (database) => {
      await createEvents(database).deleteBefore(minute(99), 10)
    },
    left: [OTHERS, 0]
  }
}

for (const [name, { collections, add, run, left }] of Object.entries(DELETIONS)) {
  t.test(`${name} are deleted by commands of few documents, also after a crash`, skip, async (t) => {
    const database = await setUp(t)
    const count = async () =>
      await Promise.all(collections.map(async (name) => await database.collection(name).countDocuments()))
    const kills = await killedEverywhere(async (calls) => {
      for (const name of [...collections, 'webhooks', 'accounts', 'event_counters']) {
        await database.collection(name).deleteMany({})
      }
      await add(database)
      deleted.clear()
      // Each has the sizes of a process that has just started.
      const completed = await survived(run(killedAfter(database, calls)))
      if (!completed) await run({ ...database })
      const [sizes] = collections.map((name) => deleted.get(name) ?? [])
      t.ok(Math.max(...sizes!) <= MAX, `${calls} calls, ${sizes!.join()}`)
      t.equal(
        sizes!.reduce((sum, size) => sum + size, 0),
        MANY,
        `${calls} calls`
      )
      t.same(await count(), left, `${calls} calls`)
      return completed
    })
    t.ok(kills >= 6, `${kills} kills`)
    if (collections.includes('deliveries')) {
      const found = await database
        .collection<{ _id: string; lastSweptSequence: number }>('webhooks')
        .findOne({ _id: webhook.id })
      t.equal(found?.lastSweptSequence, 111)
    }
  })
}
