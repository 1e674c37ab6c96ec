import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MarkdownIt, Token } from 'markdown-it'
import { html, trustedHtml, type Html } from '../../../lib/html.ts'
import { renderPage } from './layout.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../docs')

/** The pages of docs/ that are served, with the titles of their groups. Names are paths below /docs. */
export const GUIDES = [
  {
    title: 'Start here',
    names: [
      'guides/blog-on-your-site',
      'clients',
      'guides/import-posts',
      'guides/visual-checks-in-ci',
      'guides/go-to-production'
    ]
  },
  { title: 'Features', names: ['blogs', 'embedding', 'products', 'webhooks', 'visual-check'] },
  { title: 'Operations', names: ['configuration', 'operating', 'metrics', 'export-and-import'] }
] as const

/** Documents that have a page of another form. */
const OTHER_PAGES: Partial<Record<string, string>> = { errors: '/docs/errors' }

export const GUIDE_NAMES: readonly string[] = GUIDES.flatMap(({ names }): readonly string[] => names)

interface Guide {
  name: string
  title: string
  /** The first paragraph, as text. */
  summary: string
  body: Html
}

const loading = new Map<string, Promise<Guide>>()

/** A page of GUIDE_NAMES. It is rendered once. */
function loadGuide(name: string): Promise<Guide> {
  const guide = loading.get(name) ?? readGuide(name)
  loading.set(name, guide)
  return guide
}

async function readGuide(name: string): Promise<Guide> {
  const parser = await createParser(name)
  const tokens = parser.parse(await readFile(path.join(FOLDER, `${name}.md`), 'utf8'), {})
  const textAfter = (type: string): string => {
    const inline = tokens[tokens.findIndex((token) => token.type === type) + 1]
    return (inline?.children ?? []).map(({ content }) => content).join('')
  }
  return {
    name,
    title: textAfter('heading_open'),
    summary: textAfter('paragraph_open'),
    body: trustedHtml(parser.renderer.render(tokens, parser.options, {}))
  }
}

/** Renders a document of this repository. Headings have the ids of GitHub, and links lead to served pages. */
async function createParser(name: string): Promise<MarkdownIt> {
  // Loaded on the first request: most processes never serve these pages.
  const { default: Parser } = await import('markdown-it')
  const md = new Parser({ html: false })
  md.core.ruler.push('pages', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', idOf(tokens[index + 1]?.content ?? ''))
      for (const [at, child] of (token.children ?? []).entries()) {
        if (child.type === 'image') child.attrSet('src', targetOf(name, String(child.attrGet('src'))) ?? '')
        if (child.type !== 'link_open') continue
        const target = targetOf(name, String(child.attrGet('href')))
        if (target !== null) child.attrSet('href', target)
        else unlink(token.children!, at)
      }
    }
  })
  md.renderer.rules.fence = (tokens, index) =>
    html`<pre tabindex="0"><code>${tokens[index]!.content}</code></pre>`.markup
  md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
  md.renderer.rules.table_close = () => '</table></div>'
  return md
}

/** Removes a link whose target is not served, but not its text. */
function unlink(tokens: Token[], at: number): void {
  const end = tokens.findIndex(({ type }, index) => index > at && type === 'link_close')
  for (const index of [at, end]) Object.assign(tokens[index]!, { type: 'text', content: '' })
}

/** The id of a heading, as GitHub makes it. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Where a link of a document leads on this server; null for files of the repository that are not served. */
function targetOf(name: string, link: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(link)) return link
  const [file = '', anchor] = link.split('#')
  const target = path.posix.join(path.posix.dirname(name), file)
  if (target.startsWith('images/')) return `/docs/${target}`
  const page = target.replace(/\.md$/, '')
  const url = GUIDE_NAMES.includes(page) ? `/docs/${page}` : (OTHER_PAGES[page] ?? null)
  return url === null || anchor === undefined ? url : `${url}#${anchor}`
}

async function renderNav(current: string | null): Promise<Html> {
  const groups = await Promise.all(
    GUIDES.map(async ({ title, names }) => ({ title, guides: await Promise.all(names.map(loadGuide)) }))
  )
  return html`<ul class="nav">
${groups.map(
  ({ title, guides }) => html`<li><span class="group">${title}</span><ul>
${guides.map(({ name, title }) => {
  const state = trustedHtml(name === current ? ' aria-current="page"' : '')
  return html`<li><a href="/docs/${name}"${state}>${title}</a></li>`
})}
</ul></li>`
)}
</ul>`
}

/** A guide, with links to the others. */
export async function renderGuide(name: string): Promise<string> {
  const { title, body } = await loadGuide(name)
  const nav = await renderNav(name)
  return renderPage({ title, nav, navTitle: 'All guides', body: html`<div class="guide prose">${body}</div>` })
}

/** The page that leads to the guides, the API and the errors. */
export async function renderGuideIndex(): Promise<string> {
  const groups = await Promise.all(
    GUIDES.map(async ({ title, names }) => ({ title, guides: await Promise.all(names.map(loadGuide)) }))
  )
  const body = html`<h1>Documentation</h1>
<p class="lead">Guides for this version. The <a href="/docs/api">API documentation</a> describes every operation and
field, and <a href="/docs/errors">Errors</a> every error code.</p>
${groups.map(
  ({ title, guides }) => html`<h2>${title}</h2>
<ul class="index">
${guides.map((guide) => html`<li><a href="/docs/${guide.name}">${guide.title}</a><p>${guide.summary}</p></li>`)}
</ul>`
)}`
  return renderPage({ title: 'Documentation', nav: await renderNav(null), navTitle: 'All guides', body })
}
