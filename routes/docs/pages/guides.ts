import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MarkdownIt, Token } from 'markdown-it'
import { html, trustedHtml, type Html } from '../../../lib/html.ts'
import { GUIDE_GROUPS, GUIDES, ROOT, type GuideEntry } from './guide-list.ts'
import { renderPage } from './layout.ts'

/** Documents that have a page of another form, by their path in the repository. */
const OTHER_PAGES: Partial<Record<string, string>> = { 'docs/errors.md': '/docs/errors' }

interface Guide {
  title: string
  body: Html
}

const loading = new Map<string, Promise<Guide>>()

/** The page of a document. It is rendered once. */
function loadGuide({ file }: GuideEntry): Promise<Guide> {
  const guide = loading.get(file) ?? readGuide(file)
  loading.set(file, guide)
  return guide
}

async function readGuide(file: string): Promise<Guide> {
  const parser = await createParser(file)
  const tokens = parser.parse(await readFile(path.join(ROOT, file), 'utf8'), {})
  const heading = tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1]
  return {
    title: (heading?.children ?? []).map(({ content }) => content).join(''),
    body: trustedHtml(parser.renderer.render(tokens, parser.options, {}))
  }
}

/** Renders a document of this repository. Headings have the ids of GitHub, and links lead to served pages. */
async function createParser(file: string): Promise<MarkdownIt> {
  // Loaded on the first request: most processes never serve these pages.
  const { default: Parser } = await import('markdown-it')
  const md = new Parser({ html: false })
  md.core.ruler.push('pages', ({ tokens }) => {
    const ids = new Map<string, number>()
    labelCells(tokens)
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', idOf(tokens[index + 1]?.content ?? '', ids))
      for (const [at, child] of (token.children ?? []).entries()) {
        if (child.type === 'image') child.attrSet('src', targetOf(file, String(child.attrGet('src'))) ?? '')
        if (child.type !== 'link_open') continue
        const link = String(child.attrGet('href'))
        const target = targetOf(file, link)
        if (target !== null) child.attrSet('href', target)
        else printPath(token.children!, at, pathOf(file, link))
      }
    }
  })
  md.renderer.rules.fence = (tokens, index) =>
    html`<pre tabindex="0"><code>${tokens[index]!.content}</code></pre>`.markup
  md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
  md.renderer.rules.table_close = () => '</table></div>'
  return md
}

/**
 * Adds the heading of its column to each cell of a table. Narrow screens show it in the cell. An empty heading
 * becomes an ordinary cell, because screen readers would announce a heading without a text.
 */
function labelCells(tokens: Token[]): void {
  let labels: string[] = []
  let column = 0
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') labels = []
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open') {
      const { content } = tokens[index + 1]!
      labels.push(content)
      if (content === '') token.tag = tokens[index + 2]!.tag = 'td'
    }
    if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '')
    if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token)
  }
}

/** The Content Security Policy of the page forbids style attributes. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style')
  if (style === null) return
  token.attrs = token.attrs!.filter(([name]) => name !== 'style')
  if (style === 'text-align:right') token.attrSet('class', 'numeric')
}

/** Replaces a link to a document that is not served with its text and the path in the repository. */
function printPath(tokens: Token[], at: number, file: string): void {
  const end = tokens.findIndex(({ type }, index) => index > at && type === 'link_close')
  const label = tokens.slice(at + 1, end).map(({ content }) => content)
  const content = label.join('') === file ? '' : html` <code>${file}</code>`.markup
  Object.assign(tokens[at]!, { type: 'text', content: '' })
  Object.assign(tokens[end]!, { type: 'html_inline', content })
}

/** The id of a heading, as GitHub makes it. `ids` counts the headings of the page with the same text. */
function idOf(heading: string, ids: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
  const count = ids.get(id) ?? 0
  ids.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

/** The path in the repository of the target of a link. */
const pathOf = (file: string, link: string): string => path.posix.join(path.posix.dirname(file), link.split('#', 1)[0]!)

/** Where a link of a document leads on this server; null for files of the repository that are not served. */
function targetOf(file: string, link: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(link)) return link
  const target = pathOf(file, link)
  if (target.startsWith('docs/images/')) return `/${target}`
  const guide = GUIDES.find((entry) => entry.file === target)
  const url = guide === undefined ? OTHER_PAGES[target] : `/docs/${guide.name}`
  const [, anchor] = link.split('#')
  return url === undefined ? null : anchor === undefined ? url : `${url}#${anchor}`
}

/** The groups of guides with the titles of the guides. */
const loadGroups = async () =>
  await Promise.all(
    GUIDE_GROUPS.map(async (group) => ({
      title: group.title,
      guides: await Promise.all(group.guides.map(async (entry) => ({ ...entry, ...(await loadGuide(entry)) })))
    }))
  )

async function renderNav(current: string | null): Promise<Html> {
  return html`<ul class="nav">
${(await loadGroups()).map(
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
export async function renderGuide(entry: GuideEntry): Promise<string> {
  const { title, body } = await loadGuide(entry)
  const nav = await renderNav(entry.name)
  return renderPage({ title, nav, navTitle: 'All guides', body: html`<div class="guide prose">${body}</div>` })
}

/** The page that leads to the guides, the API and the errors. */
export async function renderGuideIndex(): Promise<string> {
  const body = html`<h1>Documentation</h1>
<p class="lead">Guides for this version. The <a href="/docs/api">API reference</a> describes every operation and
field, and <a href="/docs/errors">Errors</a> describes every error code.</p>
${(await loadGroups()).map(
  ({ title, guides }) => html`<h2>${title}</h2>
<ul class="index">
${guides.map((guide) => html`<li><a href="/docs/${guide.name}">${guide.title}</a><p>${guide.summary}</p></li>`)}
</ul>`
)}`
  return renderPage({ title: 'Documentation', nav: await renderNav(null), navTitle: 'All guides', body })
}
