import { escapeHtml } from '../../../../lib/html.ts'
import { addCss, addHead, editBlocks, editElements, editHead, say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { defineHarmless } from './define.ts'

export const HARMLESS_HELD_OUT = defineHarmless('held-out', {
  'site-name-before-title': (page) => {
    editHead(page, 'title', () => `<title>${furniture.siteName(page)} – ${escapeHtml(page.post.blog.title)}</title>`)
  },
  'another-font': '.svc-blog { font-family: "DejaVu Sans Mono", monospace }',
  'slightly-smaller-text': '.svc-blog { font-size: 15px }',
  'slight-letter-spacing': {
    locales: ['en', 'de', 'ja'],
    apply: (page) => addCss(page, '.svc-blog p { letter-spacing: .015em }')
  },
  'light-box': {
    // Dark sites have dark tables, which would not fit.
    styles: ['app-shell', 'bulma-blog', 'huge-type', 'logical-portal', 'normalize-caps', 'tailwind4-layers'],
    apply: (page) =>
      addCss(page, '.svc-blog { background: #fffbeb; color: #292524; padding: 1rem } .svc-blog a { color: #9a3412 }')
  },
  'drop-cap': {
    locales: ['en', 'de'],
    apply: (page) =>
      addCss(
        page,
        '.svc-blog > p:first-child::first-letter { font-size: 3em; float: left; line-height: .9; padding-right: ' +
          '.1em; color: #c2410c }'
      )
  },
  'small-footnotes': {
    needs: /svc-footnotes/,
    apply: (page) => addCss(page, '.svc-blog .svc-footnotes { font-size: .9em }')
  },
  'dark-code': {
    needs: /<pre/,
    apply: (page) =>
      addCss(
        page,
        '.svc-blog pre { background: #1e1e2e; border-radius: 10px } .svc-blog pre, .svc-blog pre code, .svc-blog ' +
          'pre span { color: #f5e0dc }'
      )
  },
  'arrows-at-links': '.svc-blog a[href^="http"]::after { content: " ↗"; font-size: .8em }',
  'quotation-mark': {
    needs: /<blockquote/,
    apply: (page) =>
      addCss(
        page,
        '.svc-blog blockquote { position: relative; padding-inline-start: 3rem } .svc-blog blockquote::before { ' +
          'content: "“"; position: absolute; inset-inline-start: .25rem; top: -.2rem; font-size: 3.5rem; ' +
          'line-height: 1; ' +
          'color: #b45309 }'
      )
  },
  'numbered-headings':
    '.svc-blog { counter-reset: part } .svc-blog h2 { counter-increment: part } .svc-blog h2::before { content: ' +
    'counter(part) ". " }',
  'highlighted-strong': {
    needs: /<strong/,
    apply: (page) => addCss(page, '.svc-blog strong { background: #fde68a; color: #1c1917; padding: 0 .15em }')
  },
  'widescreen-pictures': {
    // Not of portraits, of which too much would be cropped.
    needs: /^(?![\s\S]*height="1000")[\s\S]*<img/,
    apply: (page) =>
      addCss(page, '.svc-blog img { aspect-ratio: 16 / 10; object-fit: cover; width: 100%; height: auto }')
  },
  'pictures-with-borders': {
    needs: /<img/,
    apply: (page) => addCss(page, '.svc-blog img { border: 6px solid #fff; outline: 1px solid #8888 }')
  },
  'narrower-column': {
    styles: ['app-shell', 'bootstrap-dark', 'bulma-blog', 'huge-type', 'normalize-caps', 'water-dark'],
    apply: (page) => addCss(page, '.svc-blog { max-width: 32rem }')
  },
  'light-headings': '.svc-blog h2 { font-weight: 300; font-size: 2em; color: inherit }',
  'balanced-lines':
    '.svc-blog h2, .svc-blog h3 { text-wrap: balance } .svc-blog p { text-wrap: pretty; hanging-punctuation: first }',
  'ornament-after-text': '.svc-blog::after { content: "❦"; display: block; text-align: center; margin-top: 2rem }',
  'custom-properties': ':root { --svc-h2-size: 2rem; --svc-space: 1.5em; --svc-radius: 14px; --svc-line-height: 1.75 }',
  'brand-checkboxes': {
    needs: /svc-task/,
    apply: (page) => addCss(page, '.svc-blog input { accent-color: #15803d; width: 1.1em; height: 1.1em }')
  },
  'revealed-while-scrolling': (page) => {
    addCss(page, '.waits { opacity: 0; transition: opacity .4s } .waits.seen { opacity: 1 }')
    page.bodyEnd = `<script>
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) target.classList.add('seen')
})
for (const block of document.querySelectorAll('.svc-blog > *')) { block.classList.add('waits');
observer.observe(block) }
</script>`
  },
  'newsletter-within': (page) => {
    editBlocks(page, (blocks) => [...blocks.slice(0, 5), furniture.newsletter(page), ...blocks.slice(5)])
  },
  'related-within': (page) => {
    const aside = `<aside aria-label="${furniture.relatedTitle(page)}">
${furniture.relatedList(page).replaceAll('h2', 'p')}</aside>`
    editBlocks(page, (blocks) => [...blocks.slice(0, 3), aside, ...blocks.slice(3)])
  },
  'captions-from-descriptions': {
    needs: /<img/,
    apply: (page) => {
      editElements(
        page,
        'img',
        'all',
        (html) => `${html}<br><small class="caption">${/ alt="([^"]*)"/.exec(html)![1]!}</small>`
      )
    }
  },
  'anchors-at-headings': (page) => {
    editElements(page, 'h2', 'all', (html) => {
      const id = / id="([^"]*)"/.exec(html)![1]!
      return html.replace(
        '</h2>',
        ` <a class="permalink" href="#${id}" aria-label="#"><span aria-hidden="true">#</span></a></h2>`
      )
    })
  },
  'responsive-player': {
    needs: /<iframe/,
    apply: (page) => {
      editElements(
        page,
        'iframe',
        'all',
        (html) =>
          `<div style="aspect-ratio:16/9">${html.replace(
            '<iframe',
            '<iframe ' + 'style="width:100%;height:100%;border:0"'
          )}</div>`
      )
    }
  },
  'forty-comments': (page) => {
    page.afterArticle = furniture.comments(page).replace(/<li>[\s\S]*<\/li>/, (items) => items.repeat(20))
  },
  'author-box-first': (page) => {
    page.beforeArticle = furniture.authorBox(page)
  },
  'listen-bar': (page) => {
    const text = say(page, {
      en: 'Listen to this article',
      de: 'Artikel anhören',
      ar: 'استمع إلى المقال',
      ja: 'この記事を聴く'
    })
    page.beforeArticle =
      `<div class="listen" role="group" aria-label="${text}">` +
      `<button type="button">▶ ${text}</button> <span>3:12</span></div>`
  },
  'pictures-for-browsers-without-scripts': {
    needs: /<img/,
    apply: (page) => {
      editElements(page, 'img', 'all', (html) => `${html}<noscript>${html}</noscript>`)
    }
  },
  'regional-language': {
    locales: ['en', 'de', 'ar', 'ja'],
    apply: (page) => {
      const regions: Record<string, string> = { en: 'en-US', de: 'de-AT', ar: 'ar-EG', ja: 'ja-JP' }
      page.root.lang = regions[page.post.blog.locale.slice(0, 2)]!
    }
  },
  'half-a-second': (page) => {
    page.delayMs = 500
  },
  'preloaded-styles': (page) => {
    addHead(
      page,
      '<link rel="preload" as="style" href="/packages/modern-normalize/modern-normalize.css">' +
        '<meta name="theme-color" content="#123456"><link rel="manifest" href="data:application/json,{}">'
    )
  },
  'modified-date': (page) => {
    const text = say(page, { en: 'Updated', de: 'Aktualisiert', ar: 'حُدّث', ja: '更新' })
    const date = new Intl.DateTimeFormat(page.post.blog.locale, { timeZone: 'UTC' }).format(
      new Date(page.post.blog.updatedAt)
    )
    page.byline += `<p class="updated">${text}: <time datetime="${page.post.blog.updatedAt}">${date}</time></p>`
  },
  'scroll-progress': (page) => {
    addCss(
      page,
      '@supports (animation-timeline: scroll()) { @keyframes grow { from { transform: scaleX(0) } } ' +
        '.bar-top { animation: grow linear; animation-timeline: scroll() } } ' +
        '.bar-top { position: fixed; inset: 0 0 auto; height: 4px; background: #16a34a; transform-origin: 0 }'
    )
    page.bodyEnd = '<div class="bar-top" aria-hidden="true"></div>'
  }
})
