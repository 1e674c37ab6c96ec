import t from 'tap'
import type { PreparedBlog } from '../../../ports/store/port.ts'
import { client, publish, startApp } from '../../helper.ts'

t.test('responses that were prepared are written in operations of at most a megabyte', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const html = `<p>${'A word. '.repeat(50_000)}</p>`
  for (let n = 0; n < 6; n++) await publish(call, { title: `Large ${n}`, html, markdown: undefined })
  const { blogResponses } = app.store
  const written: PreparedBlog[][] = []
  const { save } = blogResponses
  blogResponses.save = async (blogs) => {
    written.push(blogs)
    await save(blogs)
  }
  await call('GET', '/api/v1/blogs?include=content&sort=title')
  await app.services.blogs.flushResponses()
  const sizes = written.map((blogs) => blogs.reduce((sum, { content }) => sum + content!.body.length, 0))
  t.equal(written.flat().length, 6)
  t.ok(Math.max(...sizes) <= 1024 * 1024, sizes.join(', '))
  written.length = 0
  await call('GET', '/api/v1/blogs?include=content&sort=-title')
  await app.services.blogs.flushResponses()
  t.same(written, [], 'they are stored')
})
