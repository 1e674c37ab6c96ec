import { escapeHtml } from '../../../../lib/html.ts'
import { addCss, addHead, editBlocks, editElements, editHead, replaceText, say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { defineHarmless } from './define.ts'

export const HARMLESS_TUNE = defineHarmless('tune', {
  'site-name-in-title': (page) => {
    editHead(page, 'title', () => `<title>${escapeHtml(page.post.blog.title)} | ${furniture.siteName(page)}</title>`)
  },
  'larger-text': '.svc-blog { font-size: 1.2em }',
  'open-lines': '.svc-blog p, .svc-blog li { line-height: 1.9 }',
  'centered-headings': '.svc-blog h2, .svc-blog h3 { text-align: center }',
  'justified-text': {
    locales: ['en', 'de'],
    apply: (page) => addCss(page, '@media (min-width: 50rem) { .svc-blog p { text-align: justify } }')
  },
  'paragraph-indents': '.svc-blog > p + p:not(:has(img)) { text-indent: 1.6em }',
  'lead-paragraph': '.svc-blog > p:first-child { font-size: 1.25em; font-weight: 600 }',
  'rounded-pictures': '.svc-blog img { border-radius: 20px; box-shadow: 0 6px 18px #0006 }',
  'framed-article': '.svc-blog { border: 1px solid #8886; padding: 1.25rem; border-radius: 8px }',
  'own-markers': {
    needs: /<ul/,
    apply: (page) => addCss(page, '.svc-blog ul { list-style-type: square } .svc-blog li::marker { color: #b45309 }')
  },
  'striped-table': {
    needs: /<table/,
    apply: (page) => addCss(page, '.svc-blog tbody tr:nth-child(odd) { background: #8882 }')
  },
  'table-lines-removed': { needs: /<table/, apply: (page) => addCss(page, '.svc-blog td { border-width: 0 0 1px }') },
  'large-quotes': {
    needs: /<blockquote/,
    apply: (page) =>
      addCss(
        page,
        '.svc-blog blockquote { font-size: 1.3em; font-style: italic; border-inline-start: 6px solid #b45309 }'
      )
  },
  'heading-lines': '.svc-blog h2 { border-block-end: 2px solid; padding-block-end: .2em }',
  'smooth-scrolling':
    'html { scroll-behavior: smooth } .svc-blog { position: relative; z-index: 1; transform: translateZ(0); ' +
    'contain: layout }',
  'fading-in': '@keyframes appear { from { opacity: 0 } } .svc-blog { animation: appear .6s }',
  'print-rules': '@media print { .svc-blog { font-size: 10pt; color: #000 } nav { display: none } }',
  'reading-time': (page) => {
    const minutes = page.post.blog.readingTimeMinutes
    page.byline += `<p class="reading-time">${say(page, {
      en: `${minutes} min read`,
      de: `${minutes} Min. ` + `Lesezeit`,
      ar: `${minutes} دقائق`,
      ja: `${minutes}分で読めます`
    })}</p>`
  },
  'contents-list': (page) => {
    page.beforeArticle = furniture.contents(page)
  },
  'share-bar': (page) => {
    page.afterArticle = furniture.shareBar(page)
  },
  'advertisement-within': (page) => {
    editBlocks(page, (blocks) => [...blocks.slice(0, 4), furniture.advert(page), ...blocks.slice(4)])
  },
  'links-in-new-tabs': (page) => {
    replaceText(page, /<a href="(http[^"]*)"/g, '<a target="_blank" rel="noopener nofollow" href="$1"')
  },
  'linked-pictures': {
    needs: /<img/,
    apply: (page) => {
      editElements(
        page,
        'img',
        'all',
        (html) => `<a class="zoom" href="${/ src="([^"]*)"/.exec(html)![1]!}">${html}</a>`
      )
    }
  },
  'lazy-with-script': {
    needs: /<img/,
    apply: (page) => {
      editElements(page, 'img', 'all', (html) =>
        html
          .replace(' src="', ' data-src="')
          .replace(' srcset="', ' data-srcset="')
          .replace('<img', '<img class="lazyload"')
      )
      page.bodyEnd = `<script>
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    target.srcset = target.dataset.srcset
    target.src = target.dataset.src
  }
}, { rootMargin: '600px' })
for (const image of document.querySelectorAll('.lazyload')) observer.observe(image)
</script>`
    }
  },
  'pictures-by-network': {
    needs: /<img/,
    apply: (page) => {
      const toCdn = (url: string): string => `/cdn/${Buffer.from(url.replaceAll('&amp;', '&')).toString('base64url')}`
      editElements(page, 'img', 'all', (html) =>
        html.replace(/ srcset="[^"]*"/, '').replace(/ src="([^"]*)"/, (_, url: string) => ` src="${toCdn(url)}"`)
      )
    }
  },
  'wrapped-article': (page) => {
    page.article = `<div class="layout"><div class="layout-inner " +
"entry"><div data-block="content">${page.article}</div></div></div>`
  },
  'whitespace-removed': (page) => {
    replaceText(page, /(<\/(?:p|ul|ol|li|h\d|div|table|thead|tbody|tr|th|td|blockquote)>)\n+(?=<)/g, '$1')
  },
  'small-cookie-notice': (page) => {
    const text = say(page, {
      en: 'We use one cookie.',
      de: 'Wir nutzen ein Cookie.',
      ar: 'نستخدم ملفًا واحدًا.',
      ja: 'クッキーを一つ使います。'
    })
    page.bodyEnd = `<div role="region" aria-label="Cookies" style="position:fixed;inset:auto 0 0 0;padding:.5rem " +
"1rem;background:#111;color:#fff;font-size:14px;z-index:99">${text} <button type="button">OK</button></div>`
  },
  'back-to-top': (page) => {
    page.bodyEnd =
      '<a href="#" aria-label="↑" style="position:fixed;inset:auto 12px 12px auto;' +
      'width:40px;height:40px;background:#333;color:#fff;' +
      'text-align:center;line-height:40px;border-radius:50%">↑</a>'
  },
  'more-structured-data': (page) => {
    const data = {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: furniture.siteName(page),
      url: page.origin
    }
    addHead(page, `<script type="application/ld+json">${JSON.stringify(data)}</script>`)
  },
  'canonical-of-the-blog': (page) => {
    editHead(page, 'canonical', () => `<link rel="canonical" href="${page.post.blog.canonicalUrl!}">`)
  },
  'dates-only-in-head': (page) => {
    page.byline = `<p class="byline">${escapeHtml(page.post.blog.author?.name ?? '')}</p>`
  },
  'skip-link': (page) => {
    page.bodyStart =
      '<a href="#main" style="position:absolute;clip-path:inset(50%);width:1px;height:1px;' +
      'overflow:hidden;white-space:nowrap">Skip to content</a>'
  }
})
