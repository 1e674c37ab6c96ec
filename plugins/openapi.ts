import { setImmediate } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import type { ErrorCode } from '../errors.ts'
import type { OpenApiDocument } from '../lib/openapi/types.ts'
import { VERSION } from '../lib/version.ts'
import { completeDocument, type DraftDocument } from './openapi/document.ts'
import type { RouteInfo } from './openapi/operation.ts'
import { problemExample } from './openapi/problems.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI 3.1 document. Available once the app is ready, and created at the first call. */
    openApiDocument: () => Promise<OpenApiDocument>
    /** An example problem document of an error code. */
    problemExample: (code: ErrorCode) => Record<string, unknown>
  }
  interface FastifyContextConfig {
    /** The media types of a body without a schema. */
    consumes?: readonly string[]
  }
}

/** Creates the OpenAPI document from the route schemas. */
export default fp(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Blog and product content service',
          version: VERSION,
          license: { name: 'MIT', identifier: 'MIT' }
        }
      },
      convertConstToEnum: false,
      refResolver: { buildLocalReference: (json) => String(json.$id) },
      transform: ({ schema, url, route }) => {
        const { access, errors = [], consumes = [] } = route.config ?? {}
        // Routes without an access rule are pages and assets.
        if (access === undefined) return { schema: { ...schema, hide: true }, url }
        const routeInfo: RouteInfo = { access, errors, consumes }
        return { schema: { ...schema, 'x-route': routeInfo } as typeof schema, url }
      }
    })

    let cached: { publicUrl: string; document: Promise<OpenApiDocument> } | null = null
    app.decorate('openApiDocument', () => {
      const { publicUrl } = app // With PORT=0 it changes when the server listens.
      if (cached?.publicUrl !== publicUrl) cached = { publicUrl, document: createDocument(publicUrl) }
      return cached.document
    })

    async function createDocument(publicUrl: string): Promise<OpenApiDocument> {
      // A turn of the event loop of its own: @fastify/swagger cannot be interrupted.
      await setImmediate()
      const draft = app.swagger() as unknown as DraftDocument
      await setImmediate()
      return await completeDocument(draft, { publicUrl, brand: app.config.BRAND })
    }

    app.decorate('problemExample', (code) => problemExample(code, app.publicUrl))
  },
  { name: 'openapi', dependencies: ['config', 'http-defaults'] }
)
