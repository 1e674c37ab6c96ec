import t from 'tap'
import { openInProcessQueue } from '../../../ports/queue/in-process/index.ts'
import { createMongodbStore } from '../../../ports/store/mongodb/index.ts'
import { openDatabase } from '../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../ports/store/mongodb/migrate.ts'
import { createRelatedBlogs } from '../../../services/blogs/related/refresh.ts'
import { buildBlog, next } from '../../contracts/store/fixtures/content.ts'
import { buildEvent } from '../../contracts/store/fixtures/webhooks.ts'
import { MONGODB_URL } from '../../profile.ts'

const skip = MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false

t.test('changes of blogs, and what follows them, need few commands to MongoDB', { skip }, async (t) => {
  const database = await openDatabase(`${MONGODB_URL!}round_trips_${process.pid}?monitorCommands=true`)
  t.teardown(async () => {
    await database.db.dropDatabase()
    await database.close()
  })
  await migrate(database)
  const commands: string[] = []
  database.db.client.on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'endSessions') commands.push(`${commandName} ${String(command[commandName])}`)
  })
  const during = async (work: () => Promise<unknown>): Promise<string[]> => {
    commands.length = 0
    await work()
    return [...commands]
  }
  const store = createMongodbStore(database)
  const limits = { bumpEpoch: async () => 0 } as unknown as Parameters<typeof createRelatedBlogs>[0]['limits']
  const related = createRelatedBlogs({ store, limits, queue: openInProcessQueue() })
  const words = (i: number) =>
    [`shared${i % 7}`, `shared${i % 5}`, `own${i}`].map((term): [string, number] => [term, 1])
  const made = (i: number) => buildBlog({ body: { vector: words(i) } })
  const add = (count: number, from = 0) =>
    store.blogs.addMany(Array.from({ length: count }, (_, i) => ({ blog: made(from + i), events: [buildEvent()] })))

  const blog = made(0)
  t.same(await during(() => store.blogs.add(blog, [buildEvent()])), ['insert blogs'], 'a new blog is one command')
  t.same(
    await during(() => store.blogs.save(next(blog, {}), 1, [buildEvent()])),
    ['update blogs'],
    'and so is a change'
  )
  t.same(await during(() => add(80)), ['insert blogs'], 'and a batch')
  const events = await during(() => store.events.list('acme', { after: 0, limit: 100 }))
  t.ok(events.length <= 9, `${events.length} commands for the events of 82 changes: ${events.join(', ')}`)

  await related.refresh('acme')
  await add(1, 80)
  const one = await during(() => related.refresh('acme'))
  t.ok(one.length <= 21, `${one.length} commands for the related blogs of one more: ${one.join(', ')}`)
  await add(1, 82)
  const later = await during(() => related.refresh('acme'))
  t.ok(later.length <= one.length, `${later.length} commands in a larger group`)
})
