import { addCss, editElements, editHead, editTexts, replaceText } from '../edit.ts'
import { defineDefects } from './define.ts'

/** The rows of a table as texts of their cells' HTML. */
const readRows = (html: string): string[][] =>
  [...html.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<(td|th)[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , cell]) => cell!)
  )

const isText = (block: string): boolean => /^<p>(?!<img)/.test(block)

/** Defects of the fifth set in texts and structure: filters, importers, translations and plugins. */
export const FIFTH_CONTENT_TUNE = defineDefects('tune', {
  visible: {
    'soft-hyphens-escaped': {
      about: 'a hyphenation plugin runs before the escaping',
      locales: ['en', 'de'],
      codes: ['ESCAPED_ENTITIES', 'CONTENT_CHANGED'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/(\p{Ll}{3})(\p{Ll}{3,})/gu, '$1&amp;shy;$2'))
        )
      }
    },
    'words-of-links-protected': {
      about: 'the obfuscation of addresses takes every link for one',
      needs: /<a href="(?!#)/,
      codes: ['CONTENT_CHANGED', 'LINK_TARGETS_CHANGED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog a',
      apply: (page) => {
        editElements(page, 'a', 'all', (html) => html.replace(/>[\s\S]*<\/a>$/, '>[email protected]</a>'))
      }
    },
    'curled-quotes-in-code': {
      about: 'a typography filter curls the quotes of code',
      needs: /<pre[\s\S]*?['"]/,
      codes: ['CONTENT_CHANGED', 'CODE_FORMAT_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) =>
          html
            .replaceAll(/'|&#39;|&#x27;/g, '’')
            .replaceAll(/(>[^<]*)|(<[^>]*)/g, (whole, text: string | undefined) =>
              text === undefined ? whole : text.replaceAll(/"|&quot;/g, '”')
            )
        )
      }
    },
    'digits-as-emoji': {
      about: 'an emoji plugin draws digits as signs on keys',
      needs: /<(?:td|li)[^>]*>[^<]*\d[\s%]/,
      codes: ['CONTENT_CHANGED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog :is(p, li, td)',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/(?<![&#])\d(?=[\s%])/g, '$&\uFE0F\u20E3'))
      }
    },
    'headings-by-number': {
      about: 'a table of contents replaces the words of headings',
      needs: /<h2/,
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'UNEXPECTED_TEXT'],
      target: '.svc-blog h2',
      apply: (page) => {
        let count = 0
        editElements(page, 'h2', 'all', (html) => html.replace(/>[\s\S]*<\/h2>/, `>Section ${++count}</h2>`))
      }
    },
    'decimal-points-dropped': {
      about: 'a filter for file names removes the points of numbers',
      needs: />\d+\.\d+</,
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog td, .svc-blog p, .svc-blog li, .svc-blog pre',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/(\d)\.(\d)/g, '$1$2'))
      }
    },
    'units-replaced': {
      about: 'a converter replaces the units and not the numbers',
      needs: /\d (?:mm|MB|cm|kg|g|ml|km)\b/,
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog td, .svc-blog p, .svc-blog li',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/(\d) (?:mm|MB|cm|kg|g|ml|km)\b/g, '$1 in'))
      }
    },
    'items-as-excerpts': {
      about: 'the filter of excerpts cuts each item of lists',
      needs: /<li>(?!<)[^<]{30}/,
      locales: ['en', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      target: '.svc-blog li',
      apply: (page) => {
        editElements(page, 'li', 'all', (html) =>
          html.replace(/^<li>([^\s<]+ [^\s<]+ [^\s<]+)[\s\S]*<\/li>$/, '<li>$1…</li>')
        )
      }
    },
    'paragraphs-as-excerpts': {
      about: 'the filter of excerpts cuts each paragraph after some words',
      locales: ['en', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => {
          const words = html.replaceAll(/<[^>]*>/g, '').split(/\s+/)
          return isText(html) && words.length > 16 ? `<p>${words.slice(0, 16).join(' ')} […]</p>` : html
        })
      }
    },
    'headers-in-each-cell': {
      about: 'a plugin for responsive tables prints the header in each cell',
      needs: /<table/,
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT', 'CONTENT_DUPLICATED'],
      target: '.svc-blog td, .svc-blog table',
      apply: (page) => {
        editElements(page, 'table', 0, (html) => {
          const [headers = []] = readRows(html)
          let cell = 0
          return html.replaceAll(/<td[^>]*>/g, (tag) => `${tag}<b>${headers[cell++ % headers.length]!}</b> `)
        })
      }
    },
    'table-transposed': {
      about: 'a table plugin takes columns for rows',
      needs: /<table/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'table', 0, (html) => {
          const rows = readRows(html)
          const columns = rows[0]!.map((_, at) => rows.map((row) => `<td>${row[at] ?? ''}</td>`).join(''))
          return `<table><tbody>${columns.map((cells) => `<tr>${cells}</tr>`).join('')}</tbody></table>`
        })
      }
    },
    'items-as-staircase': {
      about: 'an importer nests each item in the one before',
      needs: /<ul>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'BLOCKS_MISALIGNED', 'CONTENT_CHANGED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog li',
      apply: (page) => {
        editElements(page, 'ul', 0, (html) => {
          const items = [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, item]) => item!)
          return items.reduceRight((inner, item) => `<ul><li>${item}${inner}</li></ul>`, '')
        })
      }
    },
    'rest-in-bold': {
      about: 'a filter drops the end of the first bold word',
      needs: /<strong/,
      codes: ['EMPHASIS_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog b, .svc-blog b *',
      apply: (page) => {
        const at = page.article.indexOf('<strong>')
        const rest = page.article.slice(page.article.indexOf('>', page.article.indexOf('</', at)) + 1)
        page.article =
          page.article.slice(0, page.article.length - rest.length) +
          rest.replaceAll(/<(p|li|td)>([\s\S]*?)<\/\1>/g, '<$1><b>$2</b></$1>')
      }
    },
    'ends-of-paragraphs-raised': {
      about: 'the end of a superscript is missing',
      locales: ['en', 'de', 'ar'],
      codes: ['LOOKS_DIFFERENT', 'FONT_TOO_SMALL', 'EMPHASIS_LOST'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.replace(/^<p>((?:[^\s<]+ ){5})([\s\S]*)<\/p>$/, '<p>$1<sup>$2</sup></p>')
        )
      }
    },
    'ends-of-paragraphs-as-code': {
      about: 'the end of inline code is missing',
      locales: ['en', 'de', 'ar'],
      codes: ['LOOKS_DIFFERENT', 'EMPHASIS_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.replace(/^<p>((?:[^\s<]+ ){5})([\s\S]*)<\/p>$/, '<p>$1<code>$2</code></p>')
        )
      }
    },
    'first-picture-everywhere': {
      about: 'a cache returns the first picture for each',
      needs: /<img[\s\S]*<img/,
      codes: ['IMAGE_MISSING', 'IMAGE_FOREIGN', 'CONTENT_DUPLICATED'],
      target: '.svc-blog img',
      apply: (page) => {
        const [first] = [...page.article.matchAll(/ src="([^"]*)"/g)].map(([, src]) => src!)
        replaceText(page, / srcset="[^"]*"/g, '')
        replaceText(page, /(<img[^>]* src=")[^"]*/g, (html) => html.replace(/ src="[^"]*/, ` src="${first!}`))
      }
    },
    'pictures-twice': {
      about: 'a plugin for lazy loading shows its copy for browsers without scripts',
      needs: /<img/,
      codes: ['CONTENT_DUPLICATED', 'IMAGE_FOREIGN'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html + html)
      }
    },
    'file-names-as-captions': {
      about: 'a gallery prints file names below pictures',
      needs: /<img/,
      codes: ['UNEXPECTED_TEXT', 'CONTENT_CHANGED', 'PLACEHOLDER_TEXT'],
      target: '.svc-blog .file',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `${html}<span class="file">DSC_20418 (1) final-web.jpg</span>`)
        addCss(page, '.file { display: block }')
      }
    },
    'codes-around-pictures': {
      about: 'a plugin was removed, and its codes stay',
      needs: /<img/,
      codes: ['UNEXPECTED_TEXT', 'CONTENT_CHANGED', 'PLACEHOLDER_TEXT', 'ESCAPED_HTML'],
      target: '.svc-blog p:has(img)',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `[caption id="attachment_712" width="800"]${html}[/caption]`)
      }
    },
    'sentences-torn-apart': {
      about: 'an advertisement was placed in the middle of sentences, which made two paragraphs of one',
      locales: ['en', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => html.replace(/^<p>((?:[^\s<]+ ){7})(?=[^<]{40})/, '<p>$1</p><p>'))
      }
    },
    'words-highlighted': {
      about: 'the highlighting of a search stays on many words',
      locales: ['en', 'de'],
      codes: ['LOOKS_DIFFERENT', 'EMPHASIS_LOST', 'UNEXPECTED_TEXT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/\b\p{Ll}{4,}\b/gu, '<mark>$&</mark>'))
        )
      }
    },
    'words-as-links': {
      about: 'a plugin for internal links links every long word',
      locales: ['en', 'de'],
      codes: ['LINK_TARGETS_CHANGED', 'LOOKS_DIFFERENT', 'UNEXPECTED_TEXT', 'CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.includes('<a')
            ? html
            : editTexts(html, (text) => text.replaceAll(/\b\p{Ll}{6,}\b/gu, '<a href="/tags/$&">$&</a>'))
        )
      }
    },
    'code-without-indents': {
      about: 'a trim removes the spaces at the start of each line of code',
      needs: /<pre[\s\S]*?\n {2}/,
      codes: ['CODE_FORMAT_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) => html.replaceAll(/\n[ \t]+/g, '\n'))
      }
    },
    'escaped-twice-in-code': {
      about: 'a highlighter escapes code that is escaped',
      needs: /<pre[\s\S]*?&(?:lt|gt|amp|quot|#39);[\s\S]*?<\/pre>/,
      codes: ['ESCAPED_ENTITIES', 'ESCAPED_HTML', 'CONTENT_CHANGED'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) => html.replaceAll('&', '&amp;'))
      }
    },
    'one-paragraph-from-another-post': {
      about: 'a block of the editor was saved into the wrong post',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_MIXED', 'CONTENT_INCOMPLETE', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        const [foreign] = [...page.other.blog.htmlContent.matchAll(/<p>[^<]{80,}<\/p>/g)].map(([html]) => html)
        editElements(page, 'p', 'middle', () => foreign ?? '<p>A reusable block that was never filled.</p>')
      }
    }
  },
  invisible: {
    'preview-of-another-post': {
      about: 'link previews show another post',
      codes: ['OG_TITLE_MISMATCH', 'OG_DESCRIPTION_MISMATCH', 'OG_URL_MISMATCH'],
      apply: (page) => {
        editHead(page, 'og:title', () => '<meta property="og:title" content="Ten ways to sharpen a pencil">')
        editHead(page, 'og:description', () => '<meta property="og:description" content="With a knife, mostly.">')
      }
    },
    'data-of-the-day': {
      about: 'the structured data has the date of the build',
      codes: ['DATE_MISMATCH', 'JSONLD_MISMATCH'],
      apply: (page) => {
        editHead(page, 'jsonLd', (html) =>
          html.replace(/"datePublished":\s*"[^"]*"/, '"datePublished":"2019-01-01T00:00:00.000Z"')
        )
      }
    },
    'address-of-the-build': {
      about: 'the canonical URL is that of the build machine',
      codes: ['CANONICAL_ELSEWHERE', 'CANONICAL_INVALID'],
      apply: (page) => {
        editHead(page, 'canonical', (html) => html.replace(/href="[^"]*"/, 'href="http://localhost:4321/journal"'))
      }
    }
  }
})
