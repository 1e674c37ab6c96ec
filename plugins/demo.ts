import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { ApiError } from '../errors.ts'
import type { ProjectInput } from '../schemas/project.ts'
import type { Config } from '../schemas/config.ts'
import type { DemoContent } from '../services/demo/content.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds the demo account to an empty embedded store. Returns its API key, or null if nothing was
     * added.
     */
    seedDemo: () => Promise<string | null>
    /**
     * Begins the visual checks of the demo in the background, unless they were made before. They end when the app is
     * closed.
     */
    startDemoChecks: () => void
    /** Whether this process serves the websites of the demo below /demo. */
    hasDemoSites: boolean
  }
}

const FOLDER = path.join(import.meta.dirname, '..', 'examples', 'demo')

/** The checks of pages begin after the first events and image checks. */
const CHECKS_DELAY_MS = 5000

export default fp(
  async (app) => {
    const { config, services } = app
    const closing = new AbortController()
    let checking: Promise<void> | null = null

    async function checkPages(): Promise<void> {
      try {
        await wait(CHECKS_DELAY_MS, undefined, { signal: closing.signal, ref: false })
        const finished = await services.demo.checkPages(closing.signal)
        if (!closing.signal.aborted && finished > 0) app.log.info({ finished }, 'checked a page of the demo')
      } catch (error) {
        if (closing.signal.aborted) return
        // The demo is complete without its checks. The next start tries again.
        if (error instanceof ApiError) app.log.warn(`the demo has no visual checks: ${error.message}`)
        else app.log.warn({ err: error }, 'could not check the pages of the demo')
      }
    }

    app.decorate('hasDemoSites', isDemoOn(config))
    app.decorate('seedDemo', async () => {
      if (!isDemoOn(config) || !(await services.demo.isStoreEmpty())) return null
      return await services.demo.seed(await readContent(services.products.parse))
    })
    app.decorate('startDemoChecks', () => {
      if (isDemoOn(config)) checking ??= checkPages()
    })
    app.addHook('preClose', async () => {
      closing.abort()
      await checking
    })
  },
  { name: 'demo', dependencies: ['config', 'services'] }
)

const isDemoOn = ({ DEMO_CONTENT, MONGODB_URL }: Config): boolean => DEMO_CONTENT !== 'off' && MONGODB_URL === undefined

async function readContent(parse: (text: string) => unknown): Promise<DemoContent> {
  // Loaded only for an empty store, with its YAML parser.
  const { blogFiles, readBlogFile } = await import('../services/blog-folder.ts')
  const projects = JSON.parse(await readFile(path.join(FOLDER, 'projects.json'), 'utf8')) as ProjectInput[]
  const folders = (await readdir(FOLDER, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && projects.some(({ id }) => id === entry.name)
  )
  const blogs: DemoContent['blogs'] = []
  for (const { name: projectId } of folders) {
    const folder = path.join(FOLDER, projectId)
    for (const file of await blogFiles(path.join(folder, 'posts'))) {
      const entry = await readBlogFile(file, folder)
      if ('refused' in entry) throw new Error(`The demo blog ${file} ${entry.refused}`)
      blogs.push({ projectId, blog: entry.blog })
    }
  }
  const rows = (await readFile(path.join(FOLDER, 'products.ndjson'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => parse(line) as { projectId: string })
  const products = Object.entries(Object.groupBy(rows, ({ projectId }) => projectId)).map(([projectId, products]) => ({
    projectId,
    products: products!
  }))
  const priceList = await readFile(path.join(FOLDER, 'price-list.csv'))
  return { projects, blogs, products, priceList }
}
