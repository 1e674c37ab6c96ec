import t from 'tap'
import {
  addBlog,
  removeZeros,
  type CountedBlog,
  type Counts
} from '../../../../ports/store/mongodb/blogs/totals/counts.ts'

const blogWith = (labels: Partial<CountedBlog>): CountedBlog => ({
  projectId: 'site',
  status: 'published',
  locale: 'en',
  category: null,
  tags: [],
  authors: [],
  ...labels
})

/** The same object, without a list of its keys, which takes longer with every label of the account. */
const withoutKeys = <Value extends object>(value: Value): Value =>
  new Proxy(value, {
    ownKeys() {
      throw new Error('All labels were listed.')
    }
  })

t.test('a change of a blog does not list all labels of the account', async (t) => {
  const counts: Counts = {}
  const tags = Array.from({ length: 50 }, (_, at) => `tag ${at}`)
  for (const tag of tags) addBlog(counts, blogWith({ tags: [tag] }), 1)
  counts.tag!.published = withoutKeys(counts.tag!.published!)
  const changed = blogWith({ tags: ['tag 1', 'Tag 2', 'new'] })
  t.doesNotThrow(() => addBlog(counts, changed, 1))
  t.doesNotThrow(() => addBlog(counts, changed, -1))
})

t.test('counts of 0 are deleted, with pauses between labels', async (t) => {
  const counts: Counts = {}
  const [tea, coffee] = [
    blogWith({ category: 'Tea', tags: ['a', 'b'], authors: ['Ann'] }),
    blogWith({ category: 'Coffee', tags: ['b', 'c'], status: 'draft', locale: 'de' })
  ]
  addBlog(counts, coffee, 1)
  const before = structuredClone(counts)
  addBlog(counts, tea, 1)
  addBlog(counts, tea, -1)
  t.not(JSON.stringify(counts), JSON.stringify(before))
  let pauses = 0
  await removeZeros(counts, () => {
    pauses += 1
  })
  t.strictSame(counts, before)
  t.equal(pauses, 9, 'for each status, category, tag and author')
  addBlog(counts, coffee, -1)
  await removeZeros(counts, () => {})
  t.strictSame(counts, {})
})
