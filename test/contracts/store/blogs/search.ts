import assert from 'node:assert/strict'
import type { StoreCase } from '../case.ts'
import { addBlogs, listed, minute, next, tombstoneOf, type BlogChange } from '../fixtures/content.ts'

const of = (slug: string, titleTerms: string[], textTerms: string[], change: BlogChange = {}): BlogChange => ({
  slug,
  ...change,
  body: { titleTerms, textTerms }
})

export const blogSearchCases: StoreCase[] = [
  {
    title: 'a search finds the blogs that have all words in title or text',
    run: async ({ store }) => {
      await addBlogs(store, [
        of('both', ['green'], ['tea']),
        of('text', [], ['tea', 'green']),
        of('one', ['green'], ['milk']),
        of('none', ['milk'], [])
      ])
      assert.deepEqual(await listed(store, { terms: ['green', 'tea'] }), { slugs: ['text', 'both'], total: 2 })
      assert.deepEqual(await listed(store, { terms: ['milk', 'tea'] }), { slugs: [], total: 0 })
      assert.equal((await listed(store, { terms: ['green'] })).total, 3)
      assert.equal((await listed(store, { terms: [] })).total, 4)
      assert.deepEqual(await listed(store, { terms: ['milk', ''] }), { slugs: ['none', 'one'], total: 2 })
    }
  },
  {
    title: 'only the last word matches as a prefix',
    run: async ({ store }) => {
      await addBlogs(store, [of('teapot', [], ['green', 'teapot']), of('tea', [], ['greenish', 'tea'])])
      assert.deepEqual(await listed(store, { terms: ['green', 'te'] }), { slugs: ['teapot'], total: 1 })
      assert.deepEqual(await listed(store, { terms: ['tea', 'green'] }), { slugs: ['tea'], total: 1 })
      assert.deepEqual((await listed(store, { terms: ['tea'] })).total, 2)
      assert.deepEqual(await listed(store, { terms: ['pot'] }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { terms: ['teapots'] }), { slugs: [], total: 0 })
    }
  },
  {
    title: 'blogs with all words in the title come first, whatever their date, and the order continues across pages',
    run: async ({ store }) => {
      await addBlogs(store, [
        of('old-title', ['green', 'teapot'], [], { publishedAt: minute(1) }),
        of('title', ['a', 'teacup', 'green'], ['green', 'tea'], { publishedAt: minute(2) }),
        of('half', ['green'], ['tea'], { publishedAt: minute(3) }),
        of('undated', ['green'], ['tea'], { publishedAt: null }),
        of('text', [], ['green', 'tea'], { publishedAt: minute(4) })
      ])
      const terms = ['green', 'tea']
      const slugs = ['title', 'old-title', 'text', 'half', 'undated']
      assert.deepEqual(await listed(store, { terms }), { slugs, total: 5 })
      const pages = await Promise.all([1, 2, 3, 4].map((page) => listed(store, { terms }, { page, pageSize: 2 })))
      assert.deepEqual(
        pages.map((page) => page.slugs),
        [slugs.slice(0, 2), slugs.slice(2, 4), slugs.slice(4), []]
      )
      assert.deepEqual(
        pages.map(({ total }) => total),
        [5, 5, 5, 5]
      )
    }
  },
  {
    title: 'words of every script are found as a whole and by a prefix',
    run: async ({ store }) => {
      const words = [
        '東京',
        '緑茶',
        'हिन्दी',
        'กาแฟ',
        'Ελλάδα',
        'قهوة',
        'e\u0301te\u0301',
        '𠮷野家',
        'ꓘꓯ',
        '𞤀𞤣',
        '٣٤',
        '👩‍🍳',
        'ß',
        'ﬁ'
      ]
      await addBlogs(
        store,
        words.map((word, at) => of(`word-${at}`, [], [word]))
      )
      for (const [at, word] of words.entries()) {
        assert.deepEqual(await listed(store, { terms: [word, word] }), { slugs: [`word-${at}`], total: 1 }, word)
        const beginning = [...word][0] as string
        assert.deepEqual(await listed(store, { terms: [beginning] }), { slugs: [`word-${at}`], total: 1 }, beginning)
      }
    }
  },
  {
    title: 'words match exactly as given: they are neither folded nor split',
    run: async ({ store }) => {
      await addBlogs(store, [
        of('plain', [], ['cafe', 'don', 't', '3', '14', 'strasse', 'foo_bar']),
        of('marked', [], ["don't", '3.14', 'café', 'straße', 'c++', 'foo'])
      ])
      for (const term of ['café', "don't", '3.14', 'straße', 'c++']) {
        assert.deepEqual(await listed(store, { terms: [term, term] }), { slugs: ['marked'], total: 1 }, term)
      }
      for (const term of ['cafe', 'strasse', 'foo_bar', '14']) {
        assert.deepEqual(await listed(store, { terms: [term, term] }), { slugs: ['plain'], total: 1 }, term)
      }
      assert.deepEqual(await listed(store, { terms: ['foo', 'c'] }), { slugs: ['marked'], total: 1 })
    }
  },
  {
    title: 'a word is never parsed as query syntax',
    run: async ({ store }) => {
      const words = [
        '"',
        '"a" OR "b"',
        'a*',
        '*',
        'AND',
        'OR',
        'NOT',
        'NEAR(a b)',
        '-a',
        '^a',
        'title:a',
        '{title}:a',
        '(',
        ')',
        "'",
        '$where',
        '.*',
        '[a-z]',
        '\\',
        '\u0000',
        '%',
        '_',
        'acme'
      ]
      await addBlogs(store, [of('a', ['a'], ['b']), ...words.map((word, at) => of(`word-${at}`, [], [word, 'x']))])
      for (const [at, word] of words.entries()) {
        assert.deepEqual(await listed(store, { terms: [word, 'x'] }), { slugs: [`word-${at}`], total: 1 }, word)
        assert.equal((await listed(store, { terms: [word] })).slugs.includes('a'), false, word)
      }
    }
  },
  {
    title: 'a search of many words works like one of few',
    run: async ({ store }) => {
      const words = Array.from({ length: 300 }, (_, at) => `word${at}`)
      await addBlogs(store, [of('all', words.slice(0, 150), words.slice(150)), of('most', [], words.slice(1))])
      assert.deepEqual(await listed(store, { terms: words }), { slugs: ['all'], total: 1 })
    }
  },
  {
    title: 'a search reflects saves and deletions',
    run: async ({ store }) => {
      const [blog] = await addBlogs(store, [of('tea', ['green'], ['tea'])])
      if (blog === undefined) return
      await store.blogs.save(next(blog, { body: { titleTerms: ['black'], textTerms: ['coffee'] } }), 1)
      for (const term of ['green', 'tea']) {
        assert.deepEqual(await listed(store, { terms: [term] }), { slugs: [], total: 0 })
      }
      for (const term of ['black', 'coffee']) {
        assert.deepEqual(await listed(store, { terms: [term] }), { slugs: ['tea'], total: 1 })
      }
      await store.blogs.delete(tombstoneOf(blog), 2)
      assert.deepEqual(await listed(store, { terms: ['coffee'], status: 'any' }), { slugs: [], total: 0 })
    }
  },
  {
    title: 'a search finds only blogs of the account that match the other filters',
    run: async ({ store }) => {
      await addBlogs(store, [
        of('mine', ['tea'], []),
        of('theirs', ['tea'], [], { accountId: 'zeta' }),
        of('draft', ['tea'], [], { status: 'draft' }),
        of('tagged', ['tea'], [], { tags: ['a'] })
      ])
      assert.deepEqual(await listed(store, { terms: ['tea'] }), { slugs: ['tagged', 'mine'], total: 2 })
      assert.deepEqual(await listed(store, { terms: ['tea'], tag: 'a' }), { slugs: ['tagged'], total: 1 })
      assert.deepEqual(await listed(store, { terms: ['tea'], accountId: 'zeta' }), { slugs: ['theirs'], total: 1 })
      assert.deepEqual(await listed(store, { terms: ['zeta'] }), { slugs: [], total: 0 })
    }
  }
]
