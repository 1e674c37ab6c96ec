import { addCss, editBlocks, editElements, editTexts, say } from '../edit.ts'
import { defineHarmless } from './define.ts'

/** Harmless changes of the third set: what themes and plugins rightly do. */
export const THIRD_HARMLESS_TUNE = defineHarmless('tune', {
  'black-and-white-pictures': '.svc-blog img { filter: grayscale(1) }',
  'heading-counters':
    '.svc-blog { counter-reset: part } .svc-blog h2 { counter-increment: part } ' +
    '.svc-blog h2::before { content: counter(part) ". " }',
  'automatic-hyphens': '.svc-blog p, .svc-blog li { hyphens: auto }',
  'marked-links':
    '.svc-blog a { text-decoration: none; background: linear-gradient(#0000 60%, #fc08 60%); ' +
    'border-block-end: 2px solid }',
  'table-in-a-scroller': {
    needs: /<table/,
    apply: (page) => {
      editElements(page, 'table', 'all', (html) => `<div style="overflow-x: auto" tabindex="0">${html}</div>`)
    }
  },
  'captions-by-alt-texts': {
    needs: /<p><img/,
    apply: (page) => {
      page.article = page.article.replaceAll(
        /<p>(<img[^>]* alt="([^"]*)"[^>]*>)<\/p>/g,
        '<figure style="margin: 0">$1<figcaption>$2</figcaption></figure>'
      )
    }
  },
  'pictures-in-one-shape': {
    needs: /<img/,
    apply: (page) =>
      addCss(page, '.svc-blog img { aspect-ratio: 16 / 10; object-fit: cover; width: 100%; height: auto }')
  },
  'typographic-spaces': (page) => {
    editBlocks(page, (blocks) =>
      blocks.map((block) => editTexts(block, (text) => text.replace(/(\S) (\S+)$/, '$1\u00a0$2')))
    )
  },
  'copy-button': {
    needs: /<pre/,
    apply: (page) => {
      editElements(
        page,
        'pre',
        'all',
        (html) => `<div style="position:relative">${html}
        <button type="button" aria-label="Copy" style="position:absolute;inset-block-start:2px;inset-inline-end:2px;
        min-width:28px;min-height:28px;padding:0">⧉</button></div>`
      )
    }
  },
  'blocks-rendered-late': '.svc-blog > * { content-visibility: auto; contain-intrinsic-size: auto 120px }',
  'pull-quote': (page) => {
    const sentence = /<p>([^<]{30,}?)[.。؟,،、]/.exec(page.article)?.[1] ?? page.post.blog.title
    editBlocks(page, (blocks) => [
      ...blocks.slice(0, 2),
      `<aside style="border-block: 2px solid; margin: 1.5em 0; padding: .8em 0; font-size: 1.3em">${sentence}</aside>`,
      ...blocks.slice(2)
    ])
  },
  'print-and-audio': (page) => {
    const label = say(page, { en: 'Print', de: 'Drucken', ar: 'اطبع', ja: '印刷' })
    page.beforeArticle = `<p><button type="button" onclick="print()" style="min-height: 32px">${label}</button></p>`
  }
})

export const THIRD_HARMLESS_HELD_OUT = defineHarmless('held-out', {
  'colors-at-rest': '.svc-blog img { filter: saturate(.7) contrast(1.05); transition: filter .3s }',
  'small-capital-headings': '.svc-blog h2, .svc-blog h3 { font-variant: small-caps; letter-spacing: .03em }',
  'lines-of-equal-length': '.svc-blog h2 { text-wrap: balance } .svc-blog p { text-wrap: pretty }',
  'thick-underlines': '.svc-blog a { text-decoration-thickness: 3px; text-underline-offset: 4px }',
  'quotation-marks': {
    needs: /<blockquote/,
    apply: (page) =>
      addCss(page, '.svc-blog blockquote::before { content: "“"; font-size: 3em; line-height: .6; color: #999 }')
  },
  'pictures-with-captions-in-a-card': {
    needs: /<img/,
    apply: (page) =>
      addCss(page, '.svc-blog img { background: #eee; padding: 10px; border: 1px solid #ccc; max-width: 80% }')
  },
  'soft-hyphens': {
    locales: ['en', 'de'],
    apply: (page) => {
      editElements(page, 'p', 'all', (html) =>
        editTexts(html, (text) => text.replaceAll(/(?<![\w&;./-])(\p{L}{5})(\p{L}{5,})(?![\w;./-])/gu, '$1\u00ad$2'))
      )
    }
  },
  'pictures-to-zoom': {
    needs: /<img/,
    apply: (page) => {
      editElements(
        page,
        'img',
        'all',
        (html) => `<span style="display:block;position:relative;cursor:zoom-in">${html}
        <span aria-hidden="true" style="position:absolute;inset-block-start:8px;inset-inline-end:8px;width:24px;
        height:24px;background:#0008;border-radius:4px"></span></span>`
      )
    }
  },
  'sections-as-elements': (page) => {
    editBlocks(page, (blocks) => {
      const groups: string[][] = [[]]
      for (const block of blocks) {
        if (block.startsWith('<h2')) groups.push([])
        groups.at(-1)!.push(block)
      }
      return groups.filter((group) => group.length > 0).map((group) => `<section>${group.join('')}</section>`)
    })
  },
  'code-on-dark': {
    needs: /<pre/,
    apply: (page) =>
      addCss(page, '.svc-blog pre, .svc-blog pre * { background: #1e1e2e !important; color: #e4e4f0 !important }')
  },
  'icons-after-foreign-links':
    '.svc-blog a[href^="https:"]::after { content: ""; display: inline-block; width: .6em; ' +
    'height: .6em; margin-inline-start: .2em; border: 1px solid; border-inline-start: 0 }'
})
