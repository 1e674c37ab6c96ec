import { addAttribute, addCss, editBlocks, editElements, editTexts, say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { defineHarmless } from './define.ts'

/** Harmless changes of the fifth set: what themes and plugins rightly do. */
export const FIFTH_HARMLESS_TUNE = defineHarmless('tune', {
  'numbers-beside-code': {
    needs: /<pre/,
    apply: (page) => {
      editElements(page, 'pre', 'all', (html) =>
        html.replace(/(<code[^>]*>)([\s\S]*)(<\/code>)/, (_, open: string, code: string, close: string) => {
          // Spans of a highlighter that reach over several lines are closed and opened again by real plugins.
          const lines = code
            .replaceAll(/<\/?span[^>]*>/g, '')
            .trimEnd()
            .split('\n')
          return `${open}${lines.map((line) => `<span class="line">${line}</span>`).join('\n')}${close}`
        })
      )
      addCss(
        page,
        '.svc-blog pre { counter-reset: line } .svc-blog .line::before { counter-increment: line; content: ' +
          'counter(line); display: inline-block; width: 2.2em; margin-inline-end: 1em; text-align: right; opacity: ' +
          '.5 } .svc-blog pre { border-radius: 6px }'
      )
    }
  },
  'buttons-to-copy-code': {
    needs: /<pre/,
    apply: (page) => {
      editElements(
        page,
        'pre',
        'all',
        (html) => `<div class="code-box"><button type="button" class="copy">Copy</button>${html}</div>`
      )
      addCss(
        page,
        '.code-box { position: relative } .copy { position: absolute; inset-block-start: -.9rem; inset-inline-end: ' +
          '.5rem; font: 12px/1.6 sans-serif; background: #fff; color: #222; border: 1px solid #888 }'
      )
    }
  },
  'arrows-after-links': '.svc-blog a[href^="http"]::after { content: "\\2197"; font-size: .75em }',
  'numbered-headings':
    '.svc-blog { counter-reset: h } .svc-blog h2 { counter-increment: h } .svc-blog h2::before { content: counter(h) ' +
    '". " }',
  'captions-of-pictures': {
    needs: /<p><img[^>]* alt="[^"]+"/,
    apply: (page) => {
      editBlocks(page, (blocks) =>
        blocks.map((block) =>
          block.startsWith('<p><img')
            ? `<figure>${block.slice(3, -4)}<figcaption>${/ alt="([^"]*)"/.exec(block)![1]!}</figcaption></figure>`
            : block
        )
      )
      addCss(page, '.svc-blog figure { margin: 2em 0 } .svc-blog figcaption { font-size: .9em; text-align: center }')
    }
  },
  'pictures-as-links': {
    needs: /<img/,
    apply: (page) => {
      editElements(
        page,
        'img',
        'all',
        (html) => `<a href="${/ src="([^"]*)"/.exec(html)![1]!}" class="zoom">${html}</a>`
      )
      addCss(page, '.zoom { display: block; cursor: zoom-in }')
    }
  },
  'striped-tables': {
    needs: /<table/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog table { border-collapse: collapse } .svc-blog :is(td, th) { padding: .6em .8em } .svc-blog tbody ' +
          'tr:nth-child(even) { background: #8882 } .svc-blog thead { position: sticky; top: 0 }'
      )
    }
  },
  'balanced-and-pretty': '.svc-blog :is(h2, h3) { text-wrap: balance } .svc-blog p { text-wrap: pretty }',
  'code-as-keys': {
    needs: /<p>[^<]*<code/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog :not(pre) > code { border: 1px solid #8888; border-bottom-width: 3px; border-radius: 5px; ' +
          'padding: .05em .4em; font-size: .9em }'
      )
    }
  },
  'justified-with-hyphens': '.svc-blog p { text-align: justify; hyphens: auto }',
  'no-single-last-words': {
    locales: ['en', 'de'],
    apply: (page) => {
      editElements(page, 'p', 'all', (html) => html.replace(/ ([^\s<>]+<\/p>)$/, '\u00a0$1'))
    }
  },
  'first-line-in-small-capitals': {
    locales: ['en', 'de'],
    apply: (page) => {
      addCss(page, '.svc-blog > p:first-child::first-line { font-variant-caps: small-caps }')
    }
  },
  'letter-in-the-middle': (page) => {
    editBlocks(page, (blocks) => {
      const at = blocks.findIndex((block, index) => index > blocks.length / 2 && block.startsWith('<p>'))
      return at < 0
        ? [...blocks, furniture.newsletter(page)]
        : [...blocks.slice(0, at), furniture.newsletter(page), ...blocks.slice(at)]
    })
  },
  'related-posts-in-the-middle': (page) => {
    editBlocks(page, (blocks) => [
      ...blocks.slice(0, 4),
      `<aside class="related-box">${furniture.relatedList(page)}</aside>`,
      ...blocks.slice(4)
    ])
  },
  'pictures-fade-in': {
    needs: /<img/,
    apply: (page) => {
      addCss(page, '@keyframes appear { from { opacity: 0 } } .svc-blog img { animation: appear .6s both }')
    }
  },
  'notes-in-brackets': {
    needs: /<sup/,
    apply: (page) => {
      addCss(page, '.svc-blog sup a::before { content: "[" } .svc-blog sup a::after { content: "]" }')
    }
  },
  'ticks-as-markers': {
    needs: /<ul>\s*<li>/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog ul:not(:has(input)) { list-style: none; padding-inline-start: 1.6em } .svc-blog ' +
          'ul:not(:has(input)) > li { position: relative } .svc-blog ul:not(:has(input)) > li::before { content: ' +
          '"\\2713"; position: absolute; inset-inline-start: -1.4em }'
      )
    }
  },
  'links-to-headings': {
    needs: /<h2 id/,
    apply: (page) => {
      editElements(page, 'h2', 'all', (html) =>
        html.replace(/<\/h2>$/, ' <button type="button" class="link" aria-label="Copy link">¶</button></h2>')
      )
      addCss(page, '.svc-blog .link { font: inherit; font-size: .6em; border: 0; background: none; color: inherit }')
    }
  },
  'time-to-read': (page) => {
    page.beforeArticle += `<p class="reading-time">${say(page, {
      en: '4 minutes to read',
      de: '4 Minuten Lesezeit',
      ar: 'أربع دقائق للقراءة',
      ja: '読むのに四分'
    })}</p>`
  },
  'sections-fold': {
    needs: /<h3/,
    apply: (page) => {
      editElements(page, 'h3', 'all', (html) => addAttribute(html, 'style="border-bottom:1px solid #8886"'))
    }
  },
  'quote-as-a-poster': {
    needs: /<blockquote/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog blockquote { border: 0; text-align: center; font-size: 1.4em; margin: 2em 0; padding: 1em 5% } ' +
          '.svc-blog blockquote::before { content: "\\201c"; display: block; font-size: 3em; line-height: .6 }'
      )
    }
  },
  'marked-abbreviations': {
    needs: /<p>[^<]*\b[A-Z]{2,}\b/,
    apply: (page) => {
      editElements(page, 'p', 'all', (html) =>
        editTexts(html, (text) => text.replaceAll(/\b[A-Z]{2,}\b/g, '<abbr title="Abbreviation">$&</abbr>'))
      )
    }
  },
  'lead-of-a-larger-size': '.svc-blog > p:first-of-type { font-size: 1.3em; line-height: 1.5; font-weight: 600 }'
})
