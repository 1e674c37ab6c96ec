import t from 'tap'
import { createBlogDelivery } from '../../../services/blogs/delivery.ts'
import { createBlogFeeds } from '../../../services/blogs/feeds.ts'
import { createProjectCache } from '../../../services/project-cache.ts'
import { buildBlog, minute } from '../../contracts/store/fixtures/content.ts'
import { startApp } from '../../helper.ts'

/** Two full batches of a sitemap, and a third one that is not full. */
const BLOGS = 450

t.test('a sitemap finds only its first batch of blogs by number, and the others by position', async (t) => {
  const app = await startApp(t)
  const { store, services } = app
  await services.accounts.ensure('maps')
  await services.projects.create('maps', { id: 'site', siteUrl: 'https://www.site.example' })
  const made = Array.from({ length: BLOGS }, (_, at) => ({
    // Three blogs have the same time: then the id decides.
    blog: buildBlog({
      accountId: 'maps',
      slug: `post-${at}`,
      publishedAt: minute(Math.floor(at / 3)),
      canonicalUrl: null
    }),
    events: []
  }))
  t.same(new Set(await store.blogs.addMany(made)), new Set([null]))
  const pages: number[] = []
  const counted = {
    ...store,
    blogs: {
      ...store.blogs,
      list: async (...[filter, page]: Parameters<typeof store.blogs.list>) => {
        pages.push(page.page)
        return await store.blogs.list(filter, page)
      }
    }
  }
  const publicUrl = () => app.publicUrl
  const delivery = createBlogDelivery({ store, projects: createProjectCache({ store }), publicUrl })
  const feeds = createBlogFeeds({ store: counted, delivery, publicUrl })
  const sitemap = (await feeds.sitemap({ accountId: 'maps', projectIds: null })).toString()
  const slugs = [...sitemap.matchAll(/<loc>[^<]*\/([^<]+)<\/loc>/g)].map(([, slug]) => slug)
  const newestFirst = made.map(({ blog }) => blog.slug).toReversed()
  t.same(slugs, newestFirst)
  t.same(pages, [1, 1], 'the total, and the first batch')
})
