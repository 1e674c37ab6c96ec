import assert from 'node:assert/strict'
import type { BlogRecord } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { ACME, addBlogs, buildBlog, minute, next, tombstoneOf } from '../fixtures/content.ts'

const SITE = { accountId: 'acme', projectId: 'site' }
const EXISTS = { code: 'translation_exists', statusCode: 409 }
const german = { translationKey: 'tea', locale: 'de' }

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
const refOf = ({ id, projectId, translationKey, slug, locale, title, canonicalUrl }: BlogRecord) => ({
  id,
  projectId,
  translationKey,
  slug,
  locale,
  title,
  canonicalUrl
})

export const blogTranslationCases: StoreCase[] = [
  {
    title: 'a project has one blog with a translation key for each language, script and region',
    run: async ({ store }) => {
      const [tea] = (await addBlogs(store, [{ ...german, status: 'draft' }])) as [BlogRecord]
      await assert.rejects(store.blogs.add(buildBlog({ ...german, locale: 'DE' })), EXISTS)
      await assert.rejects(store.blogs.add(buildBlog({ ...german, locale: 'de-1996' })), EXISTS)
      await addBlogs(store, [
        { ...german, locale: 'de-AT' },
        { ...german, locale: 'en' },
        { ...german, translationKey: 'milk' },
        { ...german, projectId: 'other' },
        { ...german, accountId: 'zeta' },
        { ...german, translationKey: null },
        { ...german, translationKey: null }
      ])
      const [plain] = (await addBlogs(store, [{ locale: 'de' }])) as [BlogRecord]
      await assert.rejects(store.blogs.save(next(plain, german), 1), EXISTS)
      assert.equal(await store.blogs.save(next(tea, { translationKey: null }), 1), true)
      assert.equal(await store.blogs.save(next(plain, german), 1), true)
      await store.blogs.delete(tombstoneOf(plain), 2)
      await store.blogs.add(buildBlog(german))
    }
  },
  {
    title: 'the published blogs of a project with a translation key are found, those of a key in order of id',
    run: async ({ store }) => {
      const [en, de, fr, draft, milk] = (await addBlogs(store, [
        { translationKey: 'tea', locale: 'en' },
        { translationKey: 'tea', locale: 'de' },
        { translationKey: 'tea', locale: 'fr-CA', title: 'Thé "\u0000😀', canonicalUrl: null },
        { translationKey: 'tea', locale: 'it', status: 'draft' },
        { translationKey: 'milk' },
        { translationKey: 'tea', projectId: 'other' },
        { translationKey: 'tea', accountId: 'zeta' },
        {}
      ])) as [BlogRecord, BlogRecord, BlogRecord, BlogRecord, BlogRecord]
      assert.deepEqual(await store.blogs.findTranslations(SITE, ['tea']), [en, de, fr].map(refOf))
      const both = await store.blogs.findTranslations(SITE, ['milk', 'tea'])
      assert.deepEqual(both.toSorted(byId), [en, de, fr, milk].map(refOf))
      assert.deepEqual(await store.blogs.findTranslations(SITE, []), [])
      assert.deepEqual(await store.blogs.findTranslations(SITE, ['none']), [])
      await store.blogs.save(next(fr, { status: 'unpublished' }), 1)
      await store.blogs.delete(tombstoneOf(de), 1)
      await store.blogs.save(next(draft, { status: 'published' }), 1)
      assert.deepEqual(
        (await store.blogs.findTranslations(SITE, ['tea'])).map(({ id }) => id),
        [en.id, draft.id]
      )
    }
  },
  {
    title: 'of many published blogs with a translation key, the first 100 are found, and all of them change',
    run: async ({ store }) => {
      // Codes for private use: none is an alias of another one.
      const letter = (code: number) => String.fromCharCode(97 + code)
      const locales = Array.from({ length: 103 }, (_, i) => `q${letter(Math.floor(i / 26))}${letter(i % 26)}`)
      const made = await addBlogs(
        store,
        locales.map((locale) => ({ translationKey: 'tea', locale }))
      )
      const found = await store.blogs.findTranslations(SITE, ['tea'])
      assert.deepEqual(found, made.toSorted(byId).slice(0, 100).map(refOf))
      const change = { translationKeys: ['tea'], exceptId: made[0]!.id, at: minute(50) }
      assert.equal(await store.blogs.touchTranslations(SITE, change), 102)
    }
  },
  {
    title: 'the other translations of a changed blog get a later time, and nothing else changes',
    run: async ({ store }) => {
      const [changed, early, late, draft, plain] = (await addBlogs(store, [
        { translationKey: 'tea', locale: 'en' },
        { translationKey: 'tea', locale: 'de', title: 'Grüner Tee "\u0000😀' },
        { translationKey: 'tea', locale: 'fr', updatedAt: minute(90) },
        { translationKey: 'tea', locale: 'it', status: 'draft' },
        {}
      ])) as [BlogRecord, BlogRecord, BlogRecord, BlogRecord, BlogRecord]
      const change = { translationKeys: ['tea'], exceptId: changed.id, at: minute(50) }
      assert.equal(await store.blogs.touchTranslations(SITE, change), 2)
      assert.deepEqual(await store.blogs.find('acme', early.id), { ...early, updatedAt: minute(50) })
      for (const blog of [changed, late, draft, plain]) assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      const { blogs } = await store.blogs.list(
        { ...ACME, status: 'published', updatedSince: minute(50) },
        { page: 1, pageSize: 9, withBody: false }
      )
      assert.deepEqual(new Set(blogs.map(({ id }) => id)), new Set([early.id, late.id]))
      assert.equal(await store.blogs.touchTranslations({ ...SITE, projectId: 'other' }, change), 0)
      assert.equal(await store.blogs.touchTranslations(SITE, { ...change, translationKeys: ['none'] }), 0)
      assert.equal(await store.blogs.save(next(early, { title: 'New' }), 1), true, 'the version is unchanged')
    }
  }
]
