import { addCss, editBlocks, editElements, editTexts, say } from '../edit.ts'
import { newsletter, relatedList } from '../furniture.ts'
import { toSections } from '../defects/third.ts'
import type { Page } from '../types.ts'
import { defineHarmless } from './define.ts'

const DESKTOP = '@media (min-width: 900px)'

const wrapSections = (page: Page, wrap: (blocks: string[], index: number) => string): void => {
  editBlocks(page, (blocks) => toSections(blocks).map(wrap))
}

/** Harmless changes of the fourth set: designs of magazines, documentation, books and page builders. */
export const FOURTH_HARMLESS_TUNE = defineHarmless('tune', {
  'sections-as-cards': (page) => {
    wrapSections(page, (blocks) => `<div class="panel">${blocks.join('')}</div>`)
    addCss(
      page,
      '.panel { border: 1px solid #8884; border-radius: 12px; padding: 1rem 1.25rem; margin-block: 1.5rem; ' +
        'box-shadow: 0 2px 6px #0002 }'
    )
  },
  // Not with links in headings, which axe-core rightly reports within a summary.
  'sections-that-can-be-closed': {
    styles: ['block-theme', 'lined-paper', 'app-shell', 'narrow-rem', 'soft-gradient', 'pico-classless'],
    apply: (page) => {
      wrapSections(page, ([first, ...rest]) =>
        first!.startsWith('<h2')
          ? `<details open><summary>${first!}</summary>${rest.join('')}</details>`
          : first! + rest.join('')
      )
      addCss(page, 'summary h2 { display: inline }')
    }
  },
  'pictures-open-in-a-lightbox': {
    needs: /<img/,
    apply: (page) => {
      editElements(
        page,
        'img',
        'all',
        (html) => `<a class="zoom" href="${/src="([^"]*)"/.exec(html)![1]!}" data-lightbox="post">${html}</a>`
      )
      addCss(page, '.zoom { display: block; cursor: zoom-in }')
    }
  },
  'captions-on-pictures': {
    needs: /<p><img/,
    apply: (page) => {
      page.article = page.article.replaceAll(
        /<p>(<img[^>]* alt="([^"]*)"[^>]*>)<\/p>/g,
        '<figure class="captioned">$1<figcaption>$2</figcaption></figure>'
      )
      addCss(
        page,
        '.captioned { position: relative; margin: 1.5em 0 } .captioned img { display: block; width: 100% } ' +
          '.captioned figcaption { position: absolute; inset: auto 0 0; padding: .4rem .8rem; background: #000c; ' +
          'color: #fff; font-size: .85rem }'
      )
    }
  },
  'numbered-lines-of-code': {
    needs: /<pre/,
    apply: (page) => {
      editElements(page, 'pre', 'all', (html) => {
        const [, open, code, close] = /^(<pre[^>]*><code[^>]*>|<pre[^>]*>)([\s\S]*?)((?:<\/code>)?<\/pre>)$/.exec(html)!
        return `${open!}${code!
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `<span class="line">${line}</span>`)
          .join('\n')}${close!}`
      })
      addCss(
        page,
        'pre { counter-reset: line } .line { counter-increment: line } .line::before { content: counter(line); ' +
          'display: inline-block; width: 2em; margin-inline-end: 1em; text-align: end; opacity: .7 }'
      )
    }
  },
  'bar-above-code': {
    needs: /<pre/,
    apply: (page) => {
      editElements(
        page,
        'pre',
        'all',
        (html) =>
          '<div class="code-frame"><div class="code-bar"><span>code</span> <button type="button">Copy</button></div>' +
          `${html}</div>`
      )
      addCss(
        page,
        '.code-frame { border: 1px solid #8886; border-radius: 8px; overflow: hidden } .code-frame pre { margin: 0 ' +
          '!important; border-radius: 0 } .code-bar { display: flex; justify-content: space-between; padding: .4rem ' +
          '.8rem; background: #e8eaee; color: #222 } .code-bar button { min-height: 28px; min-width: 60px }'
      )
    }
  },
  'arrows-after-links':
    '.svc-blog a[href^="http"]::after { content: "\\2197"; font-size: .75em; margin-inline-start: .15em }',
  'links-with-a-background':
    '.svc-blog a { text-decoration: none; background: #fde68a; color: #1f2937; padding: .05em .25em; ' +
    'border-radius: 4px }',
  'tables-as-cards-on-phones': {
    needs: /<table/,
    apply: (page) => {
      editElements(page, 'table', 'all', (html) => {
        const labels = [...html.matchAll(/<th(?:\s[^>]*)?>([\s\S]*?)<\/th>/g)].map(([, label]) =>
          label!.replace(/<[^>]*>/g, '')
        )
        return html.replaceAll(/<tr>(?=\s*<td)[\s\S]*?<\/tr>/g, (row) => {
          let column = 0
          return row.replaceAll('<td', () => `<td data-label="${labels[column++] ?? ''}"`)
        })
      })
      addCss(
        page,
        '@media (max-width: 700px) { .svc-blog thead { position: absolute; clip-path: inset(50%); width: 1px; ' +
          'height: ' +
          '1px; overflow: hidden } .svc-blog :is(table, tbody, tr, td) { display: block; width: auto } ' +
          '.svc-blog tr { ' +
          'border: 1px solid #8886; margin-block-end: 1rem } .svc-blog td::before { content: attr(data-label) ": "; ' +
          'font-weight: 600 } }'
      )
    }
  },
  'large-centered-quote': {
    needs: /<blockquote/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog blockquote { border: 0; text-align: center; font: italic 1.5em/1.35 "DejaVu Serif", serif; ' +
          'padding: 1em 8%; margin: 2em 0 }'
      )
    }
  },
  'quote-in-the-margin': {
    needs: /<blockquote/,
    apply: (page) => {
      addCss(page, `${DESKTOP} { .svc-blog blockquote { float: inline-end; width: 42%; margin: .5em 0 .5em 1.5em } }`)
    }
  },
  'pictures-beside-text': {
    needs: /<img/,
    apply: (page) => {
      addCss(
        page,
        `${DESKTOP} { .svc-blog p:has(> img:only-child) { float: inline-end; width: 45%; margin: 0 0 1em 1.5em } ` +
          '.svc-blog h2 { clear: both } }'
      )
    }
  },
  'numbers-before-headings':
    '.svc-blog { counter-reset: part } .svc-blog h2 { counter-increment: part } .svc-blog h2::before { content: "§ " ' +
    'counter(part) " "; color: #8a5a00 }',
  'justified-and-hyphenated': {
    locales: ['en', 'de'],
    apply: (page) => {
      addCss(page, '.svc-blog :is(p, li) { text-align: justify; hyphens: auto; text-wrap: pretty }')
    }
  },
  'first-line-in-small-capitals': {
    locales: ['en', 'de'],
    apply: (page) => {
      addCss(page, '.svc-blog > p:first-child::first-line { font-variant-caps: small-caps; letter-spacing: .04em }')
    }
  },
  'indents-instead-of-gaps':
    '.svc-blog p { margin-block: 0 !important } .svc-blog p + p { text-indent: 1.5em } .svc-blog p:has(img) ' +
    '{ margin-block: 1em !important; text-indent: 0 }',
  'ornaments-between-sections':
    '.svc-blog h2::before { content: "\\2042"; display: block; text-align: center; font-weight: 400; ' +
    'margin-block: 1em }',
  'newsletter-within': (page) => {
    const form = newsletter(page)
    editBlocks(page, (blocks) => [...blocks.slice(0, 4), form, ...blocks.slice(4)])
  },
  'related-posts-within': (page) => {
    const box = `<aside style="border: 1px solid #8886; padding: 1rem">${relatedList(page)}</aside>`
    editBlocks(page, (blocks) => [...blocks.slice(0, 5), box, ...blocks.slice(5)])
  },
  'blocks-appear-on-scroll': (page) => {
    addCss(
      page,
      '.js .svc-blog > * { opacity: 0; translate: 0 20px; transition: all .5s } .js .svc-blog > .seen { ' +
        'opacity: 1; translate: 0 }'
    )
    page.bodyEnd += `<script>document.documentElement.classList.add('js')
const observer = new IntersectionObserver((entries) => entries.forEach((entry) =>
  entry.isIntersecting && entry.target.classList.add('seen')))
document.querySelectorAll('.svc-blog > *').forEach((block) => observer.observe(block))</script>`
  },
  'animations-by-scrolling':
    '@keyframes rise { from { opacity: 0; translate: 0 30px } } @supports (animation-timeline: view()) { ' +
    '.svc-blog > * ' +
    '{ animation: rise linear both; animation-timeline: view(); animation-range: entry 0% entry 60% } }',
  'features-of-the-font':
    '.svc-blog { font-feature-settings: "onum", "liga", "dlig"; font-kerning: normal; font-optical-sizing: auto; ' +
    'letter-spacing: .012em; text-rendering: optimizeLegibility; -webkit-font-smoothing: antialiased }',
  'chat-bubble': (page) => {
    const label = say(page, { en: 'Chat', de: 'Chat', ar: 'دردشة', ja: 'チャット' })
    page.bodyEnd +=
      `<button type="button" aria-label="${label}" style="position:fixed;inset:auto 16px 16px auto;width:56px;` +
      'height:56px;border-radius:50%;border:0;background:#2563eb;color:#fff;z-index:90">?</button>'
  },
  'consent-bar-at-the-bottom': (page) => {
    const text = say(page, {
      en: 'We use cookies.',
      de: 'Wir verwenden Cookies.',
      ar: 'نستخدم ملفات.',
      ja: 'クッキーを使います。'
    })
    page.bodyEnd +=
      `<div role="region" aria-label="Cookies" style="position:fixed;inset:auto 0 0;padding:10px
16px;background:#111;` +
      `color:#fff;display:flex;gap:16px;align-items:center;z-index:95"><span>${text}</span>` +
      '<button type="button" style="min-height:32px">OK</button></div>'
  },
  'container-queries':
    '.svc-blog { container-type: inline-size } @container (min-width: 500px) { .svc-blog p { font-size: 1.08em } } ' +
    '@container (max-width: 499px) { .svc-blog h2 { font-size: 1.35em } }',
  'numbers-in-circles': {
    needs: /<ol>/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog ol { list-style: none; padding: 0; counter-reset: step } .svc-blog ol > li { ' +
          'counter-increment: step; ' +
          'position: relative; padding-inline-start: 3rem; min-height: 2.2rem; margin-block: .6rem } .svc-blog ol > ' +
          'li::before { content: counter(step); position: absolute; inset-inline-start: 0; width: 2rem; height: ' +
          '2rem; ' +
          'line-height: 2rem; border-radius: 50%; background: #1f2937; color: #fff; text-align: center }'
      )
    }
  },
  'checks-as-markers': {
    needs: /<ul>/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog ul:not(:has(input)) { list-style: none; padding-inline-start: 0 } .svc-blog ' +
          'ul:not(:has(input)) > li ' +
          '{ position: relative; padding-inline-start: 1.8em } .svc-blog ul:not(:has(input)) > li::before { ' +
          'content: "\\2713"; ' +
          'position: absolute; inset-inline-start: 0; color: #15803d }'
      )
    }
  },
  'body-indented-below-headings': `${DESKTOP} { .svc-blog > :not(h2, h3) { margin-inline-start: 4rem !important
} .svc-blog > h3 { margin-inline-start: 2rem } }`,
  'abbreviations-explained': {
    locales: ['en', 'de'],
    apply: (page) => {
      editElements(page, 'p', 'all', (html) =>
        editTexts(html, (text) => text.replace(/\b[A-Za-zäöü]{4,}\b/, '<abbr title="See the glossary">$&</abbr>'))
      )
      addCss(page, '.svc-blog abbr { text-decoration: underline dotted; cursor: help }')
    }
  },
  'sentences-in-spans': {
    locales: ['en', 'de'],
    apply: (page) => {
      editElements(page, 'p', 'all', (html) =>
        editTexts(html, (text) => text.replaceAll(/[^.!?]{12,}[.!?]/g, '<span class="sentence">$&</span>'))
      )
    }
  },
  'callout-for-quotes': {
    needs: /<blockquote/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog blockquote { background: #e8f1fb; color: #102a43; border: 0; border-inline-start: 6px solid ' +
          '#2b6cb0; ' +
          'border-radius: 6px; padding: 1rem 1.25rem; margin-inline: 0; font-style: normal }'
      )
    }
  },
  'two-columns-on-desktops': `${DESKTOP} { .svc-blog { columns: 2 18rem; column-gap: 2.5rem; max-width: none } }`,
  'scaling-text': '.svc-blog { font-size: clamp(1.05rem, .9rem + .6vw, 1.3rem); line-height: 1.7 }',
  'rule-above-sections':
    '.svc-blog h2 { border-block-start: 6px solid; padding-block-start: .5em; margin-block-start: 2.5em }',
  'header-that-fades-text-below': (page) => {
    page.bodyStart +=
      '<div aria-hidden="true" style="position:fixed;inset:0 0 auto;height:28px;pointer-events:none;z-index:20;' +
      'background:linear-gradient(#fff9, #fff0)"></div>'
  }
})
