import { readFileSync } from 'node:fs'
import path from 'node:path'
import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import type { ErrorCode } from '../errors.ts'
import { completeDocument, type DraftDocument } from './http/openapi-document.ts'
import type { InterfaceDocument, RouteFacts } from './http/openapi/types.ts'
import { problemExample } from './http/problem-examples.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The interface's document, OpenAPI 3.1; made when it is first asked for. Only once the app is
     * ready.
     */
    interfaceDocument: () => InterfaceDocument
    /** A problem document as a caller gets it for this code. */
    exampleProblem: (code: ErrorCode) => Record<string, unknown>
  }
  interface FastifyContextConfig {
    /** The media types of a body that has no schema. */ consumes?: readonly string[]
  }
}

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string
}

/** The interface's document, made from the route schemas. */
export default fp(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Blog and product content service', version, license: { name: 'MIT', identifier: 'MIT' } }
      },
      convertConstToEnum: false,
      refResolver: { buildLocalReference: (json) => String(json.$id) },
      transform: ({ schema, url, route }) => {
        const { access, errors = [], keep = false, consumes = [] } = route.config ?? {}
        // Pages and assets are for people; what has no access rule is no part of the interface.
        if (access === undefined) return { schema: { ...schema, hide: true }, url }
        const facts: RouteFacts = { access, errors, keep, consumes }
        return { schema: { ...schema, 'x-route': facts } as typeof schema, url }
      }
    })

    let kept: { publicUrl: string; document: InterfaceDocument } | null = null
    app.decorate('interfaceDocument', () => {
      const { publicUrl } = app // With PORT=0 it is known only once the server listens.
      if (kept?.publicUrl !== publicUrl) {
        kept = {
          publicUrl,
          document: completeDocument(app.swagger() as unknown as DraftDocument, { publicUrl, brand: app.config.BRAND })
        }
      }
      return kept.document
    })
    app.decorate('exampleProblem', (code) => problemExample(code, app.publicUrl))
  },
  { name: 'openapi', dependencies: ['config'] }
)
