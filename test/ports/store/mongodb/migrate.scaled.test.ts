import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { StartError } from '../../../../errors.ts'
import { openDatabase, type Database } from '../../../../ports/store/mongodb/database.ts'
import { createMongodbStore } from '../../../../ports/store/mongodb/index.ts'
import { INDEXES, type IndexDefinition } from '../../../../ports/store/mongodb/indexes.ts'
import { assertMigrated, migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { MONGODB_URL } from '../../../profile.ts'
import { createSvc } from '../../../processes.ts'
import { temporaryFolder } from '../../../helper.ts'

const skip = MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false

/** The next version: it replaces the indexes `deliveries.due` and `blogs.list_by_title`, and has a new collection. */
const NEXT: IndexDefinition[] = [
  ...INDEXES.filter(
    ({ collection, name }) => !['deliveries.due', 'blogs.list_by_title'].includes(`${collection}.${name}`)
  ),
  { collection: 'blogs', name: 'list_by_title_2', key: { accountId: 1, 'keys.title': 1, _id: 1 } },
  { collection: 'deliveries', name: 'due_by_account', key: { accountId: 1, nextAttemptAt: 1, _id: 1 } },
  { collection: 'notes', name: 'by_account', key: { accountId: 1 } }
]
const REPLACED = ['blogs.list_by_title', 'deliveries.due']
const ADDED = ['blogs.list_by_title_2', 'deliveries.due_by_account', 'notes.by_account']
const versions = {
  current: { indexes: INDEXES, version: '1.9.0' },
  next: { indexes: NEXT, version: '1.10.0' }
}

async function emptyDatabase(t: Test): Promise<{ database: Database; url: string }> {
  const url = `${MONGODB_URL!}test_${randomUUID().replaceAll('-', '')}`
  const database = await openDatabase(url)
  t.teardown(async () => {
    await database.db.dropDatabase()
    await database.close()
  })
  return { database, url }
}

async function indexesOf(database: Database, collection: string): Promise<string[]> {
  return (await database.collection(collection).listIndexes().toArray()).map(({ name }) => String(name))
}

/** What the previous version does while the next one is being installed: it names indexes in queries. */
async function usePreviousVersion(database: Database): Promise<void> {
  await assertMigrated(database, versions.current)
  // Its query has the hint `due`. The stand-in for MongoDB accepts the hint of a missing index, so the check
  // above compares every index with the definitions of that version.
  await createMongodbStore(database).deliveries.nextDueAt('w')
}

t.test(
  'the previous version keeps working while and after the next one migrates, until a cleanup',
  { skip },
  async (t) => {
    const { database } = await emptyDatabase(t)
    const first = await migrate(database, versions.current)
    t.equal(first.created.length, INDEXES.length)
    await usePreviousVersion(database)

    t.match(await migrate(database, versions.next), { created: ADDED, removed: [], obsolete: REPLACED })
    await usePreviousVersion(database)
    await assertMigrated(database, versions.next)

    t.match(await migrate(database, { ...versions.next, cleanup: true }), {
      created: [],
      removed: REPLACED,
      obsolete: []
    })
    await assertMigrated(database, versions.next)
    await t.rejects(assertMigrated(database, versions.current), /missing: .*list_by_title/)
    t.match(await migrate(database, { ...versions.next, cleanup: true }), { created: [], removed: [], obsolete: [] })
  }
)

t.test('a cleanup by the previous version leaves the indexes of the next one', { skip }, async (t) => {
  const { database } = await emptyDatabase(t)
  await migrate(database, versions.current)
  await migrate(database, versions.next)
  t.match(await migrate(database, { ...versions.current, cleanup: true }), { created: [], removed: [], obsolete: [] })
  await assertMigrated(database, versions.next)
})

t.test('indexes of the operator are never dropped', { skip }, async (t) => {
  const { database } = await emptyDatabase(t)
  await migrate(database, versions.current)
  await database.collection('blogs').createIndex({ operator: 1 }, { name: 'of_the_operator' })
  // Someone replaced an index of the service by another one of the same name.
  await database.collection('deliveries').dropIndex('due')
  await database.collection('deliveries').createIndex({ operator: 1 }, { name: 'due' })
  const { removed } = await migrate(database, { ...versions.next, cleanup: true })
  t.same(removed, ['blogs.list_by_title'])
  t.ok((await indexesOf(database, 'blogs')).includes('of_the_operator'))
  t.ok((await indexesOf(database, 'deliveries')).includes('due'))
})

t.test(
  'a database that was migrated before indexes were recorded is recorded by the next migration',
  { skip },
  async (t) => {
    const { database } = await emptyDatabase(t)
    await migrate(database, versions.current)
    await database.collection('created_indexes').drop()
    t.same((await migrate(database, versions.current)).created, [])
    t.same((await migrate(database, { ...versions.next, cleanup: true })).removed, REPLACED)
  }
)

t.test('an index that was interrupted before it was created is created by the next run', { skip }, async (t) => {
  const { database } = await emptyDatabase(t)
  await migrate(database, versions.current)
  await database.collection('blogs').dropIndex('by_slug')
  t.same((await migrate(database, versions.current)).created, ['blogs.by_slug'])
})

t.test('an index with a name or key of the service is reported with what to do', { skip }, async (t) => {
  const { database } = await emptyDatabase(t)
  await database.collection('blogs').createIndex({ operator: 1 }, { name: 'by_slug' })
  const conflict = migrate(database, versions.current)
  await t.rejects(conflict, StartError)
  await t.rejects(conflict, /The index blogs\.by_slug cannot be created: .*Drop the conflicting index/)
})

t.test(
  'the command line creates indexes, reports obsolete ones and removes them with --cleanup',
  { skip },
  async (t) => {
    const { database, url } = await emptyDatabase(t)
    const svc = createSvc(temporaryFolder(t), { MONGODB_URL: url, SECRETS_KEY: Buffer.alloc(32).toString('base64') })
    const older = { collection: 'blogs', name: 'by_mood', key: { mood: 1 } } as const
    await migrate(database, { indexes: [older], version: '0.0.1' })
    const { code, out, err } = await svc('migrate')
    t.equal(code, 0, err)
    t.match(out, /^created {3}blogs\.by_slug$/m)
    t.match(out, /^obsolete {2}blogs\.by_mood\nThe database is up to date\.\nWhen no process of an older version/m)
    t.same(JSON.parse((await svc('migrate', '--json')).out), { created: [], removed: [], obsolete: ['blogs.by_mood'] })
    t.match((await svc('migrate', '--cleanup')).out, /^removed {3}blogs\.by_mood$/m)
    t.notOk((await indexesOf(database, 'blogs')).includes('by_mood'))
    t.equal((await svc('migrate')).out, 'Nothing to do: the database is up to date.\n')
  }
)

t.test('a migration waits for an index as long as the server builds it', { skip }, async (t) => {
  const { database } = await emptyDatabase(t)
  t.equal(database.db.client.options.socketTimeoutMS, 0, 'no limit for the time of a command')
})
