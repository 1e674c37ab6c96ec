import assert from 'node:assert/strict'
import { mergeSpellings } from '../../../../lib/labels.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import type { BlogFilter, BlogRecord, Store } from '../../../../ports/store/port.ts'
import { createRandomChoices } from '../../../fixtures/random-choices.ts'
import { SEED } from '../../../seed.ts'
import type { StoreCase } from '../case.ts'
import { buildBlog, next, tombstoneOf } from '../fixtures/content.ts'

const { chance, choose, shuffle } = createRandomChoices(SEED)

const PROJECTS = ['site', 'shop']
const CATEGORIES = [null, 'Tea', 'TEA', 'Coffee']
const TAGS = ['Hot', 'hot', 'cold', 'new']
const LOCALES = ['en', 'en-GB', 'de']
/** Times that have the same year, month, day, hour, minute or second as others, and one of the years before. */
const TIMES = ['2029-12-31T23:59:59.999Z', '2030-01-01T00:00:00.000Z', '2031-07-01T12:00:00.000Z'].concat(
  [
    '00:00:00.001',
    '00:00:00.500',
    '00:00:01.000',
    '00:09:59.999',
    '00:10:00.000',
    '01:00:00.000',
    '23:59:59.999'
  ].flatMap((time) => [`2030-01-01T${time}Z`, `2030-01-31T${time}Z`])
)

const randomContent = () => {
  const status = choose(['published', 'published', 'draft', 'scheduled', 'unpublished'] as const)
  return {
    status,
    category: choose(CATEGORIES),
    tags: shuffle(TAGS).slice(0, choose([0, 1, 2, 4])),
    locale: choose(LOCALES),
    authors: choose([[], ['Ann'], ['Bob', 'ann']]).map((name) => ({ name, url: null })),
    publishedAt: status === 'published' || chance(0.3) ? choose(TIMES) : null,
    updatedAt: choose(TIMES)
  }
}
const randomBlog = () => buildBlog({ projectId: choose(PROJECTS), translationKey: null, ...randomContent() })

const fold = (label: string | null | undefined) => label?.toLowerCase()

function matches(blog: BlogRecord, filter: BlogFilter): boolean {
  const { projectIds, projectId, status, category, tag, author, locale, language } = filter
  const { publishedAfter, publishedBefore, updatedSince } = filter
  return (
    (projectIds?.includes(blog.projectId) ?? true) &&
    (projectId === undefined || blog.projectId === projectId) &&
    (status === 'any' || blog.status === status) &&
    (category === undefined || fold(blog.category) === fold(category)) &&
    (tag === undefined || blog.tags.some((one) => fold(one) === fold(tag))) &&
    (author === undefined || blog.authors.some(({ name }) => fold(name) === fold(author))) &&
    (locale === undefined || fold(blog.locale) === fold(locale)) &&
    (language === undefined || languageOf(blog.locale) === language) &&
    (publishedAfter === undefined || (blog.publishedAt !== null && blog.publishedAt > publishedAfter)) &&
    (publishedBefore === undefined || (blog.publishedAt !== null && blog.publishedAt < publishedBefore)) &&
    (updatedSince === undefined || blog.updatedAt >= updatedSince)
  )
}

const randomScope = () => ({
  accountId: 'acme',
  projectIds: choose([null, null, ['site'], ['shop', 'site'], ['other']]),
  ...(chance(0.3) ? { projectId: choose(PROJECTS) } : {})
})

/** Few filters at a time: most of their totals are stored, also those of a time with a category or a locale. */
function randomFilter(): BlogFilter {
  const values = {
    category: choose(['tea', 'Coffee', 'none']),
    tag: choose(['HOT', 'cold', 'none']),
    author: choose(['ANN', 'Bob']),
    locale: choose(['en', 'EN-gb', 'fr']),
    language: choose(['en', 'de']),
    publishedAfter: choose(TIMES),
    publishedBefore: choose(TIMES),
    updatedSince: choose(TIMES)
  }
  const names = shuffle(Object.keys(values) as (keyof typeof values)[]).slice(0, choose([0, 1, 1, 1, 2, 2, 3]))
  return {
    ...randomScope(),
    status: choose(['published', 'published', 'draft', 'unpublished', 'any']),
    ...Object.fromEntries(names.map((name) => [name, values[name]]))
  }
}

/** Compares totals, pages and counts of labels with those of the blogs that must be stored. */
async function check(store: Store, stored: BlogRecord[]): Promise<void> {
  const newestFirst = (a: BlogRecord, b: BlogRecord) => {
    const [one, other] = [`${a.publishedAt ?? ''} ${a.id}`, `${b.publishedAt ?? ''} ${b.id}`]
    return one < other ? 1 : -1
  }
  for (let round = 0; round < 12; round++) {
    const filter = randomFilter()
    const expected = stored.filter((blog) => matches(blog, filter)).sort(newestFirst)
    const page = choose([1, 2, 3])
    const listed = await store.blogs.list(filter, { page, pageSize: 5, withBody: false })
    const message = `page ${page} of ${JSON.stringify(filter)}`
    assert.equal(listed.totalCount, expected.length, message)
    assert.deepEqual(
      listed.blogs.map(({ id }) => id),
      expected.slice((page - 1) * 5, page * 5).map(({ id }) => id),
      message
    )
    const { totalCount } = await store.blogs.list(
      { ...filter, sort: choose(['updatedAt', 'title']) },
      { page: 1, pageSize: 1, withBody: false }
    )
    assert.equal(totalCount, expected.length, `sorted ${message}`)
  }
  for (const label of [{ tag: 'hot' }, { tag: 'cold' }, { author: 'ann' }, { category: 'tea' }]) {
    const filter: BlogFilter = { ...randomScope(), ...label, status: choose(['published', 'draft', 'scheduled']) }
    const page = { page: 1, pageSize: 1, withBody: false }
    const { totalCount } = await store.blogs.list({ ...filter, sort: 'title' }, page)
    assert.equal(totalCount, stored.filter((blog) => matches(blog, filter)).length, JSON.stringify(filter))
  }
  const scope = { ...randomScope(), ...(chance(0.5) ? { locale: choose(LOCALES) } : {}) }
  const published = stored.filter((blog) => matches(blog, { ...scope, status: 'published' }))
  const categories = published.flatMap(({ category }) => (category === null ? [] : [{ label: category, count: 1 }]))
  const counted = new Map<string, number>()
  for (const { label } of categories) counted.set(label, (counted.get(label) ?? 0) + 1)
  const expected = await mergeSpellings([...counted].map(([label, count]) => ({ label, count })))
  assert.deepEqual(await store.blogs.countByLabel('category', scope), expected, JSON.stringify(scope))
}

export const blogTotalCases: StoreCase[] = [
  {
    title: 'totals are exact after any sequence of changes',
    run: async ({ store }) => {
      let stored: BlogRecord[] = []
      const replace = (blog: BlogRecord) => {
        stored = [...stored.filter(({ id }) => id !== blog.id), blog]
      }
      const acts: Record<string, () => Promise<void>> = {
        add: async () => {
          const blog = randomBlog()
          await store.blogs.add(blog)
          replace(blog)
        },
        addMany: async () => {
          const blogs = Array.from({ length: 5 }, randomBlog)
          // One is not added: its slug is taken.
          const taken = { ...randomBlog(), projectId: blogs[0]!.projectId, slug: blogs[0]!.slug }
          await store.blogs.addMany([...blogs, taken].map((blog) => ({ blog, events: [] })))
          for (const blog of blogs) replace(blog)
        },
        import: async () => {
          const blogs = Array.from({ length: 3 }, randomBlog)
          await store.transfer.put('blog', blogs)
          for (const blog of blogs) replace(blog)
        },
        save: async () => {
          const blog = choose(stored)
          const changed = next(blog, chance(0.7) ? randomContent() : { title: 'Only the title' })
          assert.ok(await store.blogs.save(changed, blog.version))
          replace(changed)
          assert.equal(await store.blogs.save(next(blog, randomContent()), blog.version), false)
        },
        delete: async () => {
          const blog = choose(stored)
          assert.ok(await store.blogs.delete(tombstoneOf(blog), blog.version))
          stored = stored.filter(({ id }) => id !== blog.id)
        },
        touch: async () => {
          const blog = choose(stored)
          const keyed = next(blog, { translationKey: `key ${blog.id}` })
          assert.ok(await store.blogs.save(keyed, blog.version))
          const at = choose(TIMES)
          const { accountId, projectId } = blog
          const change = { translationKeys: [`key ${blog.id}`], exceptId: '', at }
          await store.blogs.touchTranslations({ accountId, projectId }, change)
          const isLater = blog.status === 'published' && at > keyed.updatedAt
          replace(isLater ? { ...keyed, updatedAt: at } : keyed)
        }
      }
      for (let at = 0; at < 6; at++) await acts.addMany!()
      for (let round = 0; round < 6; round++) {
        for (let act = 0; act < 8; act++) await acts[choose([...Object.keys(acts), 'save', 'save'])]!()
        await check(store, stored)
      }
      while (stored.length > 0) await acts.delete!()
      await check(store, [])
    }
  }
]
