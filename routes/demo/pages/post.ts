import { html, trustedHtml, type Html } from '../../../lib/html.ts'
import type { Blog, BlogSummary } from '../../../schemas/blog.ts'
import { renderSitePage } from './layout.ts'

interface PostPage {
  project: { name: string }
  /** The path of the list of posts. */
  home: string
  post: Blog & { related: BlogSummary[] }
  /**
   * Which version of the template. `first` was made for wide screens, distorts pictures, and forgets half of the head.
   * `second` fits all screens, but its lists are hard to read, and it has no description and no links to translations.
   * `final` has no known defects.
   */
  template: 'first' | 'second' | 'final'
}

const FAINT_LISTS = '.page article li { color: #b5aea0 }'
/** A column that is wider than a phone, and pictures of one height. */
const FIRST_CSS = `${FAINT_LISTS}
.top div, .page, .foot { width: 46rem }
.page article img { width: 100%; height: 180px }`
const CSS = { first: FIRST_CSS, second: FAINT_LISTS, final: '' }

/** The page of a post, as a website shows it. */
export function postPage({ project, home, post, template }: PostPage): string {
  return renderSitePage({
    title: post.metaTitle,
    lang: post.lang,
    dir: post.dir,
    brand: { name: project.name, url: home },
    hasViewport: template !== 'first',
    css: CSS[template],
    head: renderHead(post, template),
    body: html`${renderLanguages(post)}
<article>
<h1>${post.title}</h1>
<p class="meta">${post.authors.map(({ name }) => name).join(', ')}
<time datetime="${post.publishedAt}">${new Date(post.publishedAt).toLocaleDateString(post.lang, {
      dateStyle: 'long',
      timeZone: 'UTC'
    })}</time></p>
${trustedHtml(post.htmlContent)}
</article>
${renderRelated(post, home)}`
  })
}

function renderHead(post: Blog, template: PostPage['template']): Html {
  const isComplete = template === 'final'
  return html`${isComplete ? html`<meta name="description" content="${post.metaDescription}">` : null}
${template === 'first' || post.canonicalUrl === null ? null : html`<link rel="canonical" href="${post.canonicalUrl}">`}
${isComplete ? renderAlternates(post) : null}
<meta property="og:title" content="${post.metaTitle}">
<meta property="og:type" content="article">
<meta property="og:image" content="${post.ogImageUrl}">
<script type="application/ld+json">${trustedHtml(post.schemaOrgJson)}</script>
<style>${trustedHtml(post.cssContent)}</style>`
}

const renderAlternates = ({ translations }: Blog): Html[] =>
  translations.map(({ hreflang, url }) => html`<link rel="alternate" hreflang="${hreflang}" href="${url}">`)

function renderLanguages({ id, translations }: Blog): Html | null {
  if (translations.length === 0) return null
  return html`<ul class="languages">${translations.map(({ id: translationId, hreflang, url }) => {
    const name = new Intl.DisplayNames(hreflang, { type: 'language' }).of(hreflang)
    return translationId === id || url === null
      ? html`<li lang="${hreflang}">${name}</li>`
      : html`<li><a href="${url}" lang="${hreflang}" hreflang="${hreflang}">${name}</a></li>`
  })}</ul>`
}

function renderRelated({ related, lang }: PostPage['post'], home: string): Html | null {
  if (related.length === 0) return null
  return html`<nav aria-labelledby="related">
<h2 id="related" lang="en">Read on</h2>
<ul lang="${lang}">${related.map(({ slug, title }) => html`<li><a href="${home}/${slug}">${title}</a></li>`)}</ul>
</nav>`
}
