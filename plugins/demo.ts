import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import fp from 'fastify-plugin'
import type { ProjectInput } from '../schemas/project.ts'
import type { DemoContent } from '../services/demo.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds the demo account to an empty embedded store. Returns its API key, or null if nothing was
     * added.
     */
    seedDemo: () => Promise<string | null>
  }
}

const FOLDER = path.join(import.meta.dirname, '..', 'examples', 'demo')

export default fp(
  async (app) => {
    const { config, services } = app
    app.decorate('seedDemo', async () => {
      const embedded = config.MONGODB_URL === undefined
      if (config.DEMO_CONTENT === 'off' || !embedded || !(await services.demo.isStoreEmpty())) return null
      return await services.demo.seed(await readContent(services.products.parse))
    })
  },
  { name: 'demo', dependencies: ['config', 'services'] }
)

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
  const history = {
    priceList: await readFile(path.join(FOLDER, 'price-list.csv')),
    screenshot: await readFile(path.join(FOLDER, 'visual-check.webp'))
  }
  return { projects, blogs, products, history }
}
