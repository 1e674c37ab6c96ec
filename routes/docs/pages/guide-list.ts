import { existsSync } from 'node:fs'
import path from 'node:path'

/** The root of this repository. */
export const ROOT = path.resolve(import.meta.dirname, '../../..')

/** A document of this repository that is served as a page. */
export interface GuideEntry {
  /** The path below /docs. */
  name: string
  /** The path in the repository. */
  file: string
  /** One sentence for the index. */
  summary: string
}

const doc = (name: string, summary: string): GuideEntry => ({ name, file: `docs/${name}.md`, summary })
const readme = (name: string, summary: string): GuideEntry => ({ name, file: `${name}/README.md`, summary })

const GROUPS = [
  {
    title: 'Start here',
    guides: [
      doc('guides/blog-on-your-site', 'Show your posts on a website, in any programming language.'),
      doc('guides/import-posts', 'Import Markdown and HTML files with front matter, and their images.'),
      doc('guides/send-products', 'Send products, read their texts, and bring the texts to your shop.'),
      doc('guides/receive-webhooks', 'Write a receiver for events, register it, and repeat lost deliveries.'),
      doc('guides/visual-checks-in-ci', 'Check the page of every post after a deployment.'),
      doc('guides/go-to-production', 'Nine steps from the demo to a production service.')
    ]
  },
  {
    title: 'Clients and examples',
    guides: [
      doc('clients', 'Compare the clients and the example sites.'),
      readme('examples/next', 'A blog with Next.js that revalidates pages by webhook and previews drafts.'),
      readme('examples/astro', 'A static blog with Astro, built with a few requests.'),
      readme('examples/php', 'A blog in a single PHP file, without packages.'),
      readme('examples/receivers', 'Receive and verify webhook events in Node.js, Python and PHP.'),
      readme('clients/typescript', 'A typed client with retries, pagination, ETags and webhook verification.'),
      readme('examples/demo', 'The projects, posts and products of the demo.')
    ]
  },
  {
    title: 'Features',
    guides: [
      doc('blogs', 'Fields, slugs, revisions, translations, lists, feeds and sitemaps.'),
      doc('embedding', 'Insert articles into a page, and match their styles to your design.'),
      doc('products', 'Send products, optimize their texts, and send the texts back to the shop.'),
      doc('webhooks', 'Register an endpoint, verify events, and recover missed events.'),
      doc('visual-check', 'Compare a published page with its post at mobile and desktop viewport sizes.')
    ]
  },
  {
    title: 'Operations',
    guides: [
      doc('configuration', 'All settings and their defaults.'),
      doc('operating', 'Deployment, scaling, health checks, backups, upgrades and outages.'),
      doc('security', 'Threats, protections, and the tests that prove them.'),
      doc('metrics', 'Prometheus metrics, alerts, logs and traces.'),
      doc('export-and-import', 'Move all data to another store or machine.')
    ]
  },
  { title: 'Reference', guides: [doc('glossary', 'The terms in this documentation and their meanings.')] }
]

/** The served documents in groups. The container image has no README files except that of the demo. */
export const GUIDE_GROUPS = GROUPS.map(({ title, guides }) => ({
  title,
  guides: guides.filter(({ file }) => existsSync(path.join(ROOT, file)))
}))

export const GUIDES: readonly GuideEntry[] = GUIDE_GROUPS.flatMap(({ guides }) => guides)
