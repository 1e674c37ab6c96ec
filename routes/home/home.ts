import type { FastifyPluginAsync } from 'fastify'
import { html } from '../../lib/html.ts'
import { VERSION } from '../../lib/version.ts'
import { renderPage } from '../docs/pages/layout.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page of the address itself, for people who open it in a browser. */
const routes: FastifyPluginAsync = async (app) => {
  const page = renderPage({
    title: 'Blog and product content service',
    nav: null,
    body: html`<h1>Blog and product content service</h1>
<p>This server delivers blog content and product texts over a JSON API.</p>
<ul>
<li><a href="/console">Console</a>: write blogs, edit product texts, and manage webhooks, visual checks
and API keys.</li>
<li><a href="/docs">Documentation</a>: guides, the <a href="/docs/api">API</a>, the <a href="/docs/errors">errors</a>
and the <a href="/openapi.json">OpenAPI document</a>.</li>
<li><a href="/health/ready">Health</a>: whether the service is ready for requests.</li>
</ul>
<p>Version ${VERSION}</p>`
  })

  app.get('/', { schema: { hide: true } as object }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding'
    })
    return page
  })
}
export default routes

/** Not below /home. */
export const prefixOverride = ''
