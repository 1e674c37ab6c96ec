import t from 'tap'
import { generatePosts } from '../../../data/generate/posts.ts'
import { readPosts } from '../../../data/posts.ts'
import { seedNote } from '../../../data/seed.ts'
import { checkPost } from './checks.ts'

const WIDE = /^(?:ja|zh|ko)\b/

t.test('posts in many languages are rendered safely, completely and reproducibly', async (t) => {
  const posts = readPosts()
  t.ok(posts.length >= 24, `${posts.length} posts`)
  const checks = posts.map((post) => checkPost({ ...post, wide: WIDE.test(post.locale) }))
  t.same(
    checks.flatMap(({ problems }) => problems),
    []
  )
  const described = checks.filter(({ isFullyDescribed }) => isFullyDescribed).length
  t.ok(described >= posts.length - 1, `${described} of ${posts.length} descriptions use the available length`)
})

t.test('500 generated posts are rendered safely, completely and reproducibly', async (t) => {
  const posts = generatePosts(500)
  const checks = posts.map(({ id, title, markdown }) => checkPost({ name: id, title, text: markdown }))
  t.same(
    checks.flatMap(({ problems }) => problems),
    [],
    seedNote
  )
  const described = checks.filter(({ isFullyDescribed }) => isFullyDescribed).length
  t.ok(described > 490, `${described} of 500 descriptions use the available length; ${seedNote}`)
})
