import { readFileSync } from 'node:fs'
import path from 'node:path'
import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { completeDocument } from './http/openapi-document.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }

/** The interface's document, made from the route schemas. */
export default fp(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Blog and product content service',
        version,
        description: 'SEO-ready blog content for a website, and products from a back office. Public endpoints take an API key; settings take the session token of a signed-in person.',
        license: { name: 'MIT', identifier: 'MIT' }
      }
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transform: ({ schema, url, route }) => ({ schema: { ...schema, 'x-access': route.config?.access, 'x-errors': route.config?.errors, 'x-keep': route.config?.keep } as typeof schema, url })
  })
  app.decorate('interfaceDocument', () => completeDocument(app.swagger() as never, app.publicUrl))
}, { name: 'openapi', dependencies: ['config'] })
