import type { Test } from 'tap'
import { client, startApp } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'

/** Sends each text in every field of a blog; the API must return it unchanged, and count all blogs. */
export async function assertStoredUnchanged(t: Test, texts: string[], note: string): Promise<void> {
  const app = await startApp(t)
  await app.services.accounts.ensure('acme')
  const call = await client(app)
  await app.services.accounts.update('acme', { requestsPerHour: 100_000 })
  const problems: string[] = []
  for (const text of texts) {
    const sent = {
      title: text,
      category: text,
      tags: [text.slice(0, 60).trim() || 'x'],
      author: { name: text },
      markdown: text,
      metaDescription: text
    }
    const created = await call('POST', BLOGS, { projectId: 'site', status: 'published', ...sent })
    if (created.statusCode !== 201) {
      problems.push(`${created.statusCode} for ${JSON.stringify(text)}: ${created.body.slice(0, 200)}`)
      continue
    }
    const blog = (await call('GET', `${BLOGS}/${created.json().slug}`)).json()
    if (blog.title !== text.trim() || blog.category !== text.trim() || blog.author.name !== text) {
      problems.push(`changed: ${JSON.stringify(text)} → ${JSON.stringify([blog.title, blog.category, blog.author])}`)
    }
    JSON.parse(blog.schemaOrgJson)
  }
  t.same(problems, [], note)
  t.equal((await call('GET', BLOGS)).json().totalCount, texts.length, note)
  const counted = (await call('GET', `${BLOGS}/categories`))
    .json()
    .reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  t.equal(counted, texts.length, note)
}
