import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { html, type Html } from '../../lib/html.ts'
import { VERSION } from '../../lib/version.ts'
import { renderExample, renderPage } from '../docs/pages/layout.ts'
import { createDocuments, sendDocument } from '../documents.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** How to sign in and send a request: with the link and the key of the demo, or with a key from the console. */
function firstSteps({ hasDemoSites, publicUrl, config: { BRAND } }: FastifyInstance): Html {
  const request = `export SVC_KEY=${BRAND}_pk_…
curl -s -H "X-Api-Key: $SVC_KEY" '${publicUrl}/api/v1/blogs?pageSize=3'`
  if (!hasDemoSites) {
    return html`<p>Sign in to the <a href="/console">console</a>, create an API key, and list posts:</p>
${renderExample(request)}`
  }
  return html`<p>Open the <a href="/console">console</a> with the link that <code>npm start</code> printed. To get a new
link, run this command in the folder of the service:</p>
${renderExample('npm run --silent svc -- console --account demo')}
<p>List posts with the demo API key that the first <code>npm start</code> printed, or with a key that you create in the
console:</p>
${renderExample(request)}`
}

const renderHome = (app: FastifyInstance): string =>
  renderPage({
    title: 'Blog and product content service',
    nav: null,
    body: html`<h1>Blog and product content service</h1>
<p class="lead">This server delivers SEO-ready blog posts and product texts over a JSON API. Websites and shops read
them with an API key.</p>
<ul class="index">
<li><a href="/console">Console</a><p>Write posts, edit product texts, and manage webhooks, visual checks and
API keys.</p></li>
${
  app.hasDemoSites
    ? html`<li><a href="/demo">Demo websites</a><p>The posts of the demo, as visitors see them.</p></li>`
    : null
}
<li><a href="/docs">Documentation</a><p>Guides, examples for Next.js, Astro and PHP, and operations.</p></li>
<li><a href="/docs/api">API reference</a><p>Every operation and field, with requests to try. Also as an
<a href="/openapi.json">OpenAPI document</a>.</p></li>
<li><a href="/health/ready">Health</a><p>Whether the service is ready for requests.</p></li>
</ul>
<h2>First steps</h2>
${firstSteps(app)}
<p>Continue with <a href="/docs/guides/blog-on-your-site">Your blog on your site in ten minutes</a>.</p>
<p class="muted">Version ${VERSION}</p>`
  })

/** The page of the address itself, for people who open it in a browser. */
const routes: FastifyPluginAsync = async (app) => {
  const documents = createDocuments()

  app.get('/', { schema: { hide: true } as object }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding'
    })
    return sendDocument(reply, await documents(app.publicUrl, () => renderHome(app)))
  })
}
export default routes

/** Not below /home. */
export const prefixOverride = ''
