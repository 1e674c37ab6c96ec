import assert from 'node:assert/strict'
import type { BlogFilter, BlogRecord, ProductFilter, ProductRecord, Store } from '../../../ports/store/port.ts'
import { createRandomChoices } from '../../fixtures/random-choices.ts'
import { SEED } from '../../seed.ts'
import type { StoreCase } from './case.ts'
import { addBlogs, minute } from './fixtures/content.ts'
import { addProducts, changing } from './fixtures/products.ts'

const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'tea', 'teapot', 'é', '茶']
const PROJECTS = ['site', 'shop', 'Shop']
const FILTERS_PER_LIST = 60
const { chance, choose, shuffle } = createRandomChoices(SEED)

const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const someWords = () => shuffle(WORDS).slice(0, choose([0, 1, 2, 4]))

function hasTerms(terms: string[], wanted: string[] | undefined): boolean {
  if (wanted === undefined) return true
  const last = wanted.at(-1) ?? ''
  const words = wanted.slice(0, -1)
  return words.every((word) => terms.includes(word)) && terms.some((term) => term.startsWith(last))
}

/** A filter in which each of the fields is present now and then. */
function randomFilter<Filter extends object>(fields: { [Name in keyof Filter]: () => Filter[Name] }): Partial<Filter> {
  const present = Object.entries<() => unknown>(fields).filter(() => chance(0.3))
  return Object.fromEntries(present.map(([name, value]) => [name, value()])) as Partial<Filter>
}

function inScope(
  { accountId, projectId }: { accountId: string; projectId: string },
  filter: { accountId: string; projectIds: string[] | null; projectId?: string }
): boolean {
  return (
    accountId === filter.accountId &&
    (filter.projectIds?.includes(projectId) ?? true) &&
    (filter.projectId === undefined || projectId === filter.projectId)
  )
}

const randomScope = () => ({
  accountId: 'acme',
  projectIds: chance(0.6) ? null : shuffle(PROJECTS).slice(0, choose([1, 2])),
  ...(chance(0.4) ? { projectId: choose(PROJECTS) } : {})
})

/** Pages of all matches must be the pages that a simple computation returns, with the same total. */
async function checkPages(
  expected: string[],
  list: (page: { page: number; pageSize: number }) => Promise<{ ids: string[]; totalCount: number }>,
  message: string
): Promise<void> {
  const pageSize = choose([1, 4, 9, 100])
  const pages = Math.ceil(expected.length / pageSize)
  for (const page of new Set([1, choose([1, 2, 3]), pages, pages + 1])) {
    if (page === 0) continue
    const { ids, totalCount } = await list({ page, pageSize })
    assert.equal(totalCount, expected.length, message)
    assert.deepEqual(ids, expected.slice((page - 1) * pageSize, page * pageSize), `page ${page} of ${message}`)
  }
}

function matchProduct(product: ProductRecord, filter: ProductFilter): boolean {
  const { status, category, sku, groupId, externalId, updatedSince, terms } = filter
  return (
    inScope(product, filter) &&
    (status === undefined || product.status === status) &&
    (category === undefined || product.category === category || !!product.category?.startsWith(`${category} > `)) &&
    (sku === undefined || product.sku === sku) &&
    (groupId === undefined || product.groupId === groupId) &&
    (externalId === undefined || product.externalId === externalId) &&
    (updatedSince === undefined || product.updatedAt >= updatedSince) &&
    hasTerms(product.terms, terms)
  )
}

const randomProduct = () => ({
  status: choose(['pending', 'optimized', 'failed'] as const),
  category: choose([null, 'A', 'A > B', 'A > B > C', 'AB']),
  sku: choose([null, 'k', 'K']),
  groupId: choose([null, 'g', 'g', 'h']),
  updatedAt: minute(choose([0, 1, 2, 3])),
  terms: someWords()
})

async function checkProducts(store: Store): Promise<void> {
  const added = await addProducts(
    store,
    Array.from({ length: 90 }, (_, at) => ({
      accountId: chance(0.1) ? 'zeta' : 'acme',
      projectId: choose(PROJECTS),
      externalId: `${choose(['', 'é', '😀', 'Z', 'z'])}${Math.floor(at / 2)}-${at % 2}`,
      ...randomProduct()
    }))
  )
  const changes = added.filter(() => chance(0.3)).map((product) => changing(product, randomProduct()))
  await store.products.saveMany(changes)
  const changed = new Map(changes.map(({ product }) => [product.id, product]))
  const products = added.map((product) => changed.get(product.id) ?? product)
  const deleted = products.filter(() => chance(0.1))
  for (const { accountId, id, version } of deleted) await store.products.delete({ accountId, id, ifVersion: version })
  const stored = products
    .filter((product) => !deleted.includes(product))
    .sort((a, b) => compareText(a.externalId, b.externalId) || compareText(a.projectId, b.projectId))

  for (let round = 0; round < FILTERS_PER_LIST; round++) {
    const filter: ProductFilter = {
      ...randomScope(),
      ...randomFilter<Omit<ProductFilter, 'accountId' | 'projectIds' | 'projectId'>>({
        status: () => choose(['pending', 'optimized']),
        category: () => choose(['A', 'A > B', 'AB']),
        sku: () => choose(['k', 'x']),
        groupId: () => choose(['g', 'h', 'x']),
        ...(chance(0.2) ? { externalId: () => choose(stored).externalId } : {}),
        updatedSince: () => minute(choose([1, 2, 3])),
        terms: () => choose([['a'], ['tea'], ['b', 'a'], ['te'], ['é', 'ab']])
      })
    }
    await checkPages(
      stored.filter((product) => matchProduct(product, filter)).map(({ id }) => id),
      async (page) => {
        const { products, totalCount } = await store.products.list(filter, page)
        return { ids: products.map(({ id }) => id), totalCount }
      },
      JSON.stringify(filter)
    )
  }
}

function matchBlog(blog: BlogRecord, filter: BlogFilter): boolean {
  const { status, category, tag, locale, author, publishedAfter, publishedBefore, updatedSince, terms } = filter
  return (
    inScope(blog, filter) &&
    (status === 'any' || blog.status === status) &&
    (category === undefined || blog.category === category) &&
    (tag === undefined || blog.tags.includes(tag)) &&
    (locale === undefined || blog.locale === locale) &&
    (author === undefined || blog.authors.some(({ name }) => name.toLowerCase() === author.toLowerCase())) &&
    (publishedAfter === undefined || (blog.publishedAt !== null && blog.publishedAt > publishedAfter)) &&
    (publishedBefore === undefined || (blog.publishedAt !== null && blog.publishedAt < publishedBefore)) &&
    (updatedSince === undefined || blog.updatedAt >= updatedSince) &&
    hasTerms([...blog.body.titleTerms, ...blog.body.textTerms], terms)
  )
}

const inOrderOf =
  (valueOf: (blog: BlogRecord) => string) =>
  (a: BlogRecord, b: BlogRecord): number =>
    compareText(valueOf(a), valueOf(b)) || compareText(a.id, b.id)
const publishedAt = inOrderOf((blog) => blog.publishedAt ?? '')
const updatedAt = inOrderOf((blog) => blog.updatedAt)
const COMPARES = {
  publishedAt,
  '-publishedAt': (a: BlogRecord, b: BlogRecord) => publishedAt(b, a),
  updatedAt,
  '-updatedAt': (a: BlogRecord, b: BlogRecord) => updatedAt(b, a)
}

async function checkBlogs(store: Store): Promise<void> {
  const added = await addBlogs(
    store,
    Array.from({ length: 60 }, () => {
      const status = choose(['published', 'published', 'draft'] as const)
      return {
        accountId: chance(0.1) ? 'zeta' : 'acme',
        projectId: choose(PROJECTS),
        status,
        category: choose([null, 'A', 'B']),
        tags: shuffle(['x', 'y', 'z']).slice(0, choose([0, 1, 2])),
        locale: choose(['en', 'de']),
        authors: choose([[], ['Ann'], ['Bob', 'Ann']]).map((name) => ({ name, url: null })),
        publishedAt: status === 'draft' && chance(0.7) ? null : minute(choose([1, 2, 3, 4, 5])),
        updatedAt: minute(choose([0, 1, 2, 3])),
        body: { titleTerms: someWords(), textTerms: someWords() }
      }
    })
  )
  const newestFirst = (a: BlogRecord, b: BlogRecord) =>
    compareText(b.publishedAt ?? '', a.publishedAt ?? '') || compareText(b.id, a.id)
  const stored = added.toSorted(newestFirst)

  for (let round = 0; round < FILTERS_PER_LIST; round++) {
    const filter: BlogFilter = {
      ...randomScope(),
      status: choose(['published', 'any', 'draft']),
      ...randomFilter<Omit<BlogFilter, 'accountId' | 'projectIds' | 'projectId' | 'status'>>({
        category: () => choose(['A', 'C']),
        tag: () => choose(['x', 'none']),
        locale: () => choose(['en', 'fr']),
        author: () => choose(['Ann', 'bob', 'Eve']),
        sort: () => choose(Object.keys(COMPARES) as (keyof typeof COMPARES)[]),
        publishedAfter: () => minute(choose([1, 3])),
        publishedBefore: () => minute(choose([3, 5])),
        updatedSince: () => minute(choose([1, 2, 3])),
        terms: () => choose([['a'], ['tea'], ['b', 'a'], ['te'], ['é', 'ab']])
      })
    }
    const inTitle = ({ body }: BlogRecord) => filter.terms !== undefined && hasTerms(body.titleTerms, filter.terms)
    const matches = stored.filter((blog) => matchBlog(blog, filter))
    const ordered =
      filter.sort === undefined
        ? [...matches.filter(inTitle), ...matches.filter((blog) => !inTitle(blog))]
        : matches.toSorted(COMPARES[filter.sort as keyof typeof COMPARES])
    await checkPages(
      ordered.map(({ id }) => id),
      async (page) => {
        const { blogs, totalCount } = await store.blogs.list(filter, { ...page, withBody: false })
        return { ids: blogs.map(({ id }) => id), totalCount }
      },
      JSON.stringify(filter)
    )
    if (ordered.length === 0) continue
    const at = choose([...ordered.keys()])
    const limit = choose([1, 4, 100])
    const following = ordered.slice(at + 1, at + 1 + limit).map(({ id }) => id)
    const message = `after ${at} of ${JSON.stringify(filter)}`
    const isSearch = filter.terms !== undefined && filter.sort === undefined
    const { id, updatedAt, publishedAt } = ordered[at]!
    const after = {
      value: filter.sort?.endsWith('updatedAt') ? updatedAt : publishedAt,
      id,
      ...(isSearch ? { inTitle: inTitle(ordered[at]!) } : {})
    }
    const listed = await store.blogs.listAfter(filter, { after, limit, withBody: false })
    assert.deepEqual(
      listed.map((blog) => blog.id),
      following,
      message
    )
    const { terms, status, ...others } = filter
    if (terms !== undefined || status !== 'published') continue
    const prepared = await store.blogResponses.list(others, { after, limit, withBody: false })
    assert.deepEqual(
      prepared.blogs.map((blog) => blog.id),
      following,
      message
    )
  }
}

export const randomProductListCases: StoreCase[] = [
  {
    title: 'lists of random products with random filters are exact',
    run: async ({ store }) => {
      await checkProducts(store)
    }
  }
]

export const randomBlogListCases: StoreCase[] = [
  {
    title: 'lists of random blogs with random filters are exact',
    run: async ({ store }) => {
      await checkBlogs(store)
    }
  }
]
