import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildApp } from '../../../app.ts'
import type { Blog } from '../../../schemas/blog.ts'
import { drawPicture } from './pictures.ts'
import { POSTS, SEVENTH_POSTS, SIXTH_POSTS } from './posts/index.ts'
import type { Post, PostSource } from './types.ts'

const ACCOUNT = 'pages'
const PROJECT = 'site'
/** Players of embedded videos, which a test without a network cannot load. */
const PLAYERS = /https:\/\/(?:www\.youtube-nocookie\.com\/embed|player\.vimeo\.com\/video)\//g

export interface Publisher {
  posts: Post[]
  close: () => Promise<void>
}

/**
 * Publishes the posts with a service of its own, which serves their images until it is closed. The
 * players of videos are replaced by those of the site, both in the page and in what is expected.
 */
export async function publishPosts(siteOrigin: string): Promise<Publisher> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'visual-pages-'))
  const app = await buildApp({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const close = async (): Promise<void> => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await app.listen({ port: 0, host: '127.0.0.1' })
    await app.services.accounts.ensure(ACCOUNT)
    await app.services.accounts.update(ACCOUNT, { plan: 'samurai' })
    await app.services.projects.create(ACCOUNT, { id: PROJECT, siteUrl: siteOrigin, blogPath: '/blog' })
    const { key } = await app.services.apiKeys.create(ACCOUNT, { name: 'Visual pages' })

    const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload: object, type = 'application/json') => {
      const response = await app.inject({
        method,
        url: `/api/v1/blogs${url}`,
        headers: { 'x-api-key': key, ...(method === 'GET' ? {} : { 'content-type': type }) },
        ...(method === 'GET' ? {} : { payload })
      })
      if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.body}`)
      return response.json<Blog>()
    }
    const publish = async (source: PostSource): Promise<string> => {
      const { id, half: _half, pictures, markdown, author, ...fields } = source
      const { id: blogId } = await call('POST', '', {
        ...{ projectId: PROJECT, slug: id, markdown, status: 'draft', author: { name: author } },
        ...fields
      })
      for (const { file, kind, alt, ...size } of pictures) {
        const bytes = await drawPicture(`${id} ${file}`, kind, size)
        await call('POST', `/${blogId}/images?filename=${file}&alt=${encodeURIComponent(alt)}`, bytes, 'image/jpeg')
      }
      // The text is rendered again with the sizes of the images.
      await call('PATCH', `/${blogId}`, { markdown })
      await call('POST', `/${blogId}/publish`, {})
      return blogId
    }

    const sources = [...POSTS, ...SIXTH_POSTS, ...SEVENTH_POSTS]
    for (const source of sources) await publish(source)
    const posts: Post[] = []
    for (const source of sources) {
      const blog = await call('GET', `/${source.id}`, {})
      posts.push({
        source,
        blog: { ...blog, htmlContent: blog.htmlContent.replaceAll(PLAYERS, `${siteOrigin}/player/`) }
      })
    }
    return { posts, close }
  } catch (error) {
    await close()
    throw error
  }
}
