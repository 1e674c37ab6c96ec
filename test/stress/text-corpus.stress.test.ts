import t from 'tap'
import { toVectorWithoutTags, evaluateLists, readPosts } from '../../bench/related.ts'
import { allRelated } from '../../services/blogs/related/index.ts'
import { formats } from '../../schemas/formats.ts'
import { slugify } from '../../services/blogs/slug.ts'
import { plainText } from '../../services/optimizer/rules/plain-text.ts'
import { readPosts as readTitles } from '../data/posts.ts'
import { readNaughtyStrings, REAL_POSTS, skipWithout } from '../data/real.ts'
import { assertStoredUnchanged } from '../routes/api/v1/blogs/stored-unchanged.ts'
import { searchTermProblems, slugProblems } from '../services/blogs/text-checks.ts'
import { UNSAFE } from '../services/optimizer/rules/unsafe-text.ts'

t.test('real posts lead to posts on the same subject', { skip: skipWithout.posts }, async (t) => {
  const posts = readPosts(REAL_POSTS)
  const lists = new Map(
    allRelated(posts.map(toVectorWithoutTags)).map(({ id, related }) => [id, related.map((entry) => entry.id)])
  )
  const { p3, covered3, covered12 } = evaluateLists(posts, lists)
  t.ok(p3 >= 0.8, `of the first three, ${p3.toFixed(3)} share a hidden tag; plain TF-IDF 0.762, newest 0.331`)
  t.ok(covered3 >= 0.9, `${covered3.toFixed(3)} of the posts are among the first three of some post`)
  t.ok(covered12 >= 0.99, `${covered12.toFixed(3)} are in some list`)
})

t.test('real titles never fall back to the default slug', { skip: skipWithout.posts }, async (t) => {
  const titles = readTitles(REAL_POSTS)
    .map(({ title }) => title)
    .filter((title) => /\w/.test(title))
  t.ok(titles.length > 400)
  t.same(
    titles.filter((title) => slugify(title) === 'blog'),
    []
  )
})

t.test('published naughty strings', { skip: skipWithout.naughtyStrings }, async (t) => {
  const strings = skipWithout.naughtyStrings === false ? readNaughtyStrings() : []
  t.ok(strings.length > 500)
  t.same(slugProblems(strings), [], 'every slug is valid')
  t.same(searchTermProblems(strings), [], 'every text is found by a query of its own words')
  t.same(
    strings.filter((text) => UNSAFE.test(plainText(text))),
    [],
    'plain text has no tags and no control characters'
  )
  await t.test('are stored and returned unchanged', async (t) => {
    await assertStoredUnchanged(
      t,
      strings.filter((text) => /\S/.test(text) && text.length <= 100 && formats.label!(text)),
      'naughty-strings.json'
    )
  })
})
