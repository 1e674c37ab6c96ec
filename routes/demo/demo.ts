import { readdir } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { problem } from '../../errors.ts'
import { withoutTrailingSlash } from '../../lib/text.ts'
import { indexPage, sitesPage } from './pages/lists.ts'
import { postPage } from './pages/post.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../examples/demo')
const MAX_DELIVERY_BYTES = 1024 * 1024

/** The pages load only images of this service, and contain no scripts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** The pictures of products by project, and so the projects that have a site. */
async function readPictures(): Promise<Map<string, Set<string>>> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const projects = entries.filter((entry) => entry.isDirectory() && entry.name !== 'drawing')
  return new Map(
    await Promise.all(
      projects.map(async ({ name }) => [name, new Set(await readdir(path.join(FOLDER, name, 'products')))] as const)
    )
  )
}

const homeOf = ({ id, blogPath }: { id: string; blogPath: string }): string =>
  `/demo/${id}${withoutTrailingSlash(blogPath)}`

const unknownSite = () => problem('not_found', 'The demo has no such website.')

/**
 * What the companies of the demo would have on servers of their own: websites that show their posts, pictures of
 * products, and a receiver of webhooks. All of it is public. Only published posts are shown.
 */
const routes: FastifyPluginAsync = async (app) => {
  if (!app.hasDemoSites) return
  const { demo } = app.services
  const { sites } = demo
  const pictures = await readPictures()
  const schema = { hide: true } as object
  // Registered in this scope only: the console and the documentation register their own instances.
  await app.register(fastifyStatic, { root: FOLDER, serve: false, maxAge: '1h' })

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('referrer-policy', 'same-origin')
  })
  const send = (reply: FastifyReply, page: string) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  const findProject = async (id: string) => (pictures.has(id) ? await sites.project(id) : null)

  app.get('/', { schema }, async (_request, reply) => {
    const projects = await Promise.all([...pictures.keys()].map(findProject))
    return await send(reply, sitesPage(projects.filter((project) => project !== null)))
  })

  app.get<{ Params: { projectId: string; file: string } }>(
    '/:projectId/products/:file',
    { schema, config: { large: 'file' } },
    async (request, reply) => {
      const { projectId, file } = request.params
      if (pictures.get(projectId)?.has(file) !== true) throw problem('not_found', `There is no picture "${file}".`)
      return await reply.sendFile(`${projectId}/products/${file}`)
    }
  )

  app.get<{ Params: { projectId: string } }>('/:projectId', { schema }, async (request, reply) => {
    const project = await findProject(request.params.projectId)
    if (project === null) throw unknownSite()
    return await reply.redirect(homeOf(project))
  })

  app.get<{ Params: { projectId: string; '*': string } }>('/:projectId/*', { schema }, async (request, reply) => {
    const project = await findProject(request.params.projectId)
    if (project === null) throw unknownSite()
    const home = homeOf(project)
    const blogPath = withoutTrailingSlash(project.blogPath)
    const requested = `/${request.params['*']}`
    if (requested === blogPath) {
      return await send(reply, indexPage({ project, home, posts: await sites.posts(project.id) }))
    }
    const slug = requested.startsWith(`${blogPath}/`) ? requested.slice(blogPath.length + 1) : ''
    const found = slug === '' ? null : await sites.post(project.id, slug)
    if (found === null) throw problem('not_found', 'The website has no such page.')
    if ('movedTo' in found) return await reply.redirect(`${home}/${encodeURIComponent(found.movedTo)}`, 308)
    return await send(reply, postPage({ project, home, post: found.post, template: sites.template() }))
  })

  await app.register(async (receivers) => {
    // The signature covers the bytes of the body, so that they are verified before anything is parsed.
    receivers.removeAllContentTypeParsers()
    receivers.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body)
    })
    receivers.post<{ Params: { webhookId: string } }>(
      '/receivers/:webhookId',
      // The log would have a line for each delivery, which the delivery log has too.
      { schema, bodyLimit: MAX_DELIVERY_BYTES, logLevel: 'warn' },
      async (request, reply) => {
        const signature = request.headers[`x-${app.config.BRAND.toLowerCase()}-signature`]
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const isSigned =
          typeof signature === 'string' && (await demo.isSignedDelivery(request.params.webhookId, { body, signature }))
        return await reply.code(isSigned ? 200 : 401).send({ received: isSigned })
      }
    )
  })
}
export default routes
