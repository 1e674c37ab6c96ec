import type { BlogInput } from '../../schemas/blog.ts'
import type { ImportedBlog } from '../../schemas/blog-import.ts'
import type { ProductInput } from '../../schemas/product.ts'

/** Words of the whole language; the frequency of a word falls with its rank (Zipf's law). */
const VOCABULARY = 30_000
/** Words of one subject. A subject is a tag, and its posts are related. */
const SUBJECT_WORDS = 400
/** Posts of one subject, on average: the number of subjects grows with the number of posts. */
const POSTS_PER_SUBJECT = 50
const CATEGORIES = 24
const FIRST_DAY = Date.UTC(2005, 0, 1)

/** A generator of numbers from 0 to 1 (mulberry32), the same for each index, so that posts can be generated again. */
function randomFor(index: number): () => number {
  let state = Math.imul(index + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A rank below `size`: the probability of rank r is proportional to 1 ÷ (r + 1). */
const zipf = (random: () => number, size: number): number => Math.floor(size ** random()) - 1

export const slugOf = (index: number): string => `post-${index}`
export const subjectOf = (index: number): number => Math.floor(index / POSTS_PER_SUBJECT)
export const categoryOf = (index: number): string => `category ${index % CATEGORIES}`
export const tagOf = (index: number): string => `subject ${subjectOf(index)}`
/** Rises with the index, by ten minutes. */
export const publishedAtOf = (index: number): string => new Date(FIRST_DAY + index * 600_000).toISOString()
/** A word that a few posts of the subject contain: a realistic search. */
export const searchTermsOf = (index: number): string => `subject${subjectOf(index)}w3`

/** The post with this index: about 300 words in four sections. `publishedAt` rises with the index. */
export function createPost(index: number, projectId: string): BlogInput & { publishedAt: string } {
  const random = randomFor(index)
  const subject = subjectOf(index)
  const word = (): string =>
    random() < 0.3 ? `subject${subject}w${zipf(random, SUBJECT_WORDS)}` : `word${zipf(random, VOCABULARY)}`
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  const sections = Array.from({ length: 4 }, () => `## ${words(4)}\n\n${words(40)}.\n\n${words(30)}.`)
  return {
    projectId,
    slug: slugOf(index),
    title: `${words(6)} ${index}`,
    metaDescription: words(18),
    markdown: sections.join('\n\n'),
    category: categoryOf(index),
    tags: [tagOf(index)],
    status: 'published',
    publishedAt: publishedAtOf(index)
  }
}

/** The same post as an item of an import, which may not be published in the future. */
export function createImportedPost(index: number): ImportedBlog {
  const { projectId: _projectId, slug = slugOf(index), publishedAt, ...post } = createPost(index, '')
  return { ...post, slug, ...(Date.parse(publishedAt) < Date.now() ? { publishedAt } : {}) }
}

export function createProduct(index: number): Omit<ProductInput, 'projectId'> {
  const random = randomFor(index)
  const words = (count: number): string =>
    Array.from({ length: count }, () => `word${zipf(random, VOCABULARY)}`).join(' ')
  return {
    externalId: `product-${index}`,
    sku: `SKU-${index}`,
    title: `${words(4)} ${index}`,
    description: `${words(12)}. ${words(15)}. ${words(10)}.`,
    price: 5 + (index % 400),
    category: `Group ${index % 20} > Part ${index % 200}`
  }
}
