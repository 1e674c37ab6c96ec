import { html } from '../../../lib/html.ts'
import { renderSitePage } from './layout.ts'

interface Project {
  id: string
  name: string
  blogPath: string
}

/** A published post in a list. */
interface Post {
  slug: string
  title: string
  excerpt: string
  locale: string
}

/** The page that lists the websites of the demo. */
export const sitesPage = (projects: readonly Project[]): string =>
  renderSitePage({
    title: 'Websites of the demo',
    lang: 'en',
    dir: 'ltr',
    brand: { name: 'Demo', url: '/demo' },
    head: null,
    body: html`<h1>Websites of the demo</h1>
${projects.length === 0 ? html`<p>The data folder was not empty at the first start, so that it has no demo.</p>` : null}
<ul class="cards">${projects.map(
      ({ id, name, blogPath }) => html`<li><h2><a href="/demo/${id}${blogPath}">${name}</a></h2></li>`
    )}</ul>`
  })

/** The list of the posts of a site. `home`: its path. */
export const indexPage = ({
  project,
  home,
  posts
}: {
  project: Project
  home: string
  posts: readonly Post[]
}): string =>
  renderSitePage({
    title: project.name,
    lang: 'en',
    dir: 'ltr',
    brand: { name: project.name, url: home },
    head: null,
    body: html`<h1>${project.name}</h1>
<ul class="cards">${posts.map(
      ({ slug, title, excerpt, locale }) => html`<li lang="${locale}" dir="auto">
<h2><a href="${home}/${slug}">${title}</a></h2>
<p>${excerpt}</p></li>`
    )}</ul>`
  })
