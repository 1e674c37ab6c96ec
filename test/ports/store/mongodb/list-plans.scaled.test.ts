import { randomUUID } from 'node:crypto'
import type { Document } from 'mongodb'
import t from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { createBlogResponses } from '../../../../ports/store/mongodb/blogs/responses.ts'
import { foldChanges } from '../../../../ports/store/mongodb/blogs/totals/fold.ts'
import { blogTotalsOf } from '../../../../ports/store/mongodb/blogs/totals/read.ts'
import { openDatabase } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { ACME, buildBlog, minute } from '../../../contracts/store/fixtures/content.ts'
import { observeClients } from '../../../fixtures/mongodb/command-counts.ts'
import { indexesFor, type Query } from '../../../fixtures/mongodb/query-plans.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const BLOGS = 200
const PAGE_SIZE = 5
/** Documents that are read besides those of the page: a blog behind it, and those with counts. */
const FEW = 2
const READS: ReadonlySet<string> = new Set(['find', 'aggregate', 'count', 'distinct'])

interface SentQuery extends Query {
  ids: string[] | undefined
  limit: number | undefined
  returned: number
}

function toQuery(command: Document, reply: Document): SentQuery {
  const filter: Document = command.filter ?? command.pipeline?.[0]?.$match ?? {}
  return {
    collection: (command.find ?? command.aggregate) as string,
    filter,
    // The driver sends a map, because the order of fields counts.
    sort: Object.fromEntries((command.sort ?? []) as Iterable<[string, number]>),
    hint: command.hint,
    ids: filter._id?.$in,
    limit: command.limit,
    returned: reply.cursor.firstBatch.length
  }
}

t.test(
  'each query of a list reads its page from an index in order, whatever the size of the account',
  skip,
  async (t) => {
    let sent: SentQuery[] = []
    observeClients((client) => {
      const commands = new Map<number, Document>()
      client.on('commandStarted', ({ commandName, command, requestId }) => {
        if (READS.has(commandName)) commands.set(requestId, command)
      })
      client.on('commandSucceeded', ({ requestId, reply }) => {
        const command = commands.get(requestId)
        if (command !== undefined) sent.push(toQuery(command, reply as Document))
      })
    })
    const name = `list_plans_${randomUUID().replaceAll('-', '')}`
    const database = await openDatabase(`${MONGODB_URL}${name}?monitorCommands=true`)
    t.teardown(async () => {
      await blogTotalsOf(database).close()
      await database.db.dropDatabase()
      await database.close()
    })
    await migrate(database)
    const [blogs, responses] = [createBlogs(database), createBlogResponses(database)]
    const made = ['acme', 'other'].flatMap((accountId) =>
      Array.from({ length: BLOGS }, (_, at) =>
        buildBlog({
          accountId,
          slug: `post-${at}`,
          category: at % 2 === 0 ? 'Tea' : 'Jugs',
          tags: [`tag ${at % 3}`],
          publishedAt: minute(at)
        })
      )
    )
    await blogs.addMany(made.map((blog) => ({ blog, events: [] })))
    while ((await foldChanges(database, 'acme')) > 0);
    const some = made.slice(0, PAGE_SIZE).map(({ id }) => id)
    const after = { value: minute(100), id: made[100]!.id }
    const published = { ...ACME, status: 'published' } as const
    const first = { page: 1, pageSize: PAGE_SIZE, withBody: false }
    const reads: Record<string, () => Promise<unknown>> = {
      'first page': () => responses.list(published, first),
      'first page of records': () => blogs.list(published, first),
      'second page': () => responses.list(published, { ...first, page: 2 }),
      'second page of records': () => blogs.list(published, { ...first, page: 2 }),
      'by cursor': () => responses.list(published, { after, limit: PAGE_SIZE, withBody: false }),
      'any status': () => blogs.list({ ...ACME, status: 'any' }, first),
      category: () => responses.list({ ...published, category: 'Tea' }, first),
      tag: () => responses.list({ ...published, tag: 'tag 1' }, first),
      project: () => responses.list({ ...published, projectId: 'site' }, first),
      title: () => responses.list({ ...published, sort: 'title' }, first),
      'published by ids': () => blogs.findPublished(ACME, some),
      'vectors by ids': () => blogs.vectorsOf('acme', some),
      related: () => blogs.related('acme', some[0]!),
      'by slug': () => responses.find(ACME, { slug: 'post-7' }),
      categories: () => blogs.countByLabel('category', ACME)
    }
    for (const [read, run] of Object.entries(reads)) {
      // A process first asks whether totals are stored.
      await run()
      sent = []
      await run()
      t.ok(sent.length > 0, read)
      for (const query of sent) {
        const text = `${read}: ${JSON.stringify(query)}`
        t.ok(query.returned <= PAGE_SIZE + FEW, text)
        // A server that is not MongoDB may read a whole collection, with all accounts, for a query with a hint.
        t.equal(query.hint, undefined, text)
        if (query.ids === undefined) {
          t.ok(indexesFor(query).length > 0, text)
          t.ok((query.limit ?? 0) > 0, text)
        } else {
          t.same(Object.keys(query.filter), ['_id'], text)
        }
      }
    }
  }
)
