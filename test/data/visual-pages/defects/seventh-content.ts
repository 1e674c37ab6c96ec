import { addCss, editBlocks, editElements, editHead, editTexts, replaceText } from '../edit.ts'
import { defineDefects } from './define.ts'

const isText = (block: string): boolean => /^<p>(?!<img)/.test(block)

/** Defects of the seventh set in texts, structure and metadata. */
export const SEVENTH_CONTENT_TUNE = defineDefects('tune', {
  visible: {
    'sentences-from-the-end': {
      about: 'a summarizer puts the sentences of each paragraph in another order',
      locales: ['en', 'de', 'el', 'pt', 'vi'],
      codes: ['CONTENT_CHANGED', 'CONTENT_REORDERED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => {
          const [, inner = ''] = /^<p>([^<]*)<\/p>$/.exec(html) ?? []
          const sentences = inner.match(/[^.!?]+[.!?]+\s*/g) ?? []
          if (sentences.length < 2) return html
          return `<p>${sentences
            .toReversed()
            .map((text) => text.trim())
            .join(' ')}</p>`
        })
      }
    },
    'negations-dropped': {
      about: 'a list of stop words is applied to the text',
      needs: /\b(?:not|nothing|nicht|não|không)\b/,
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog :is(p, li, td)',
      apply: (page) => {
        page.article = editTexts(page.article, (text) =>
          text.replaceAll(/ (?:not|nothing|nicht|não|không|the|der|die|das|và|e|a)(?=[ .,])/g, '')
        )
      }
    },
    'signs-as-question-marks': {
      about: 'an old database knows no degrees, currencies and dashes',
      needs: /[°€–—“„«Ω²]/,
      codes: ['CONTENT_CHANGED', 'MOJIBAKE', 'TEXT_WRONG_GLYPHS'],
      target: '.svc-blog :is(p, li, td, h2, blockquote)',
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/[°€–—“”„«»Ω²×]/g, '?'))
      }
    },
    'initials-twice': {
      about: 'a script for initial letters adds the letter and keeps the first one',
      locales: ['en', 'de', 'el', 'pt', 'vi', 'fa'],
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.replace(/^<p>(\p{L})/u, '<p><span style="font-size: 1.8em">$1</span>$1')
        )
      }
    },
    'signs-of-a-missing-icon-font': {
      about: 'icons of a font that is not loaded end each paragraph',
      codes: ['UNEXPECTED_TEXT', 'TEXT_WRONG_GLYPHS', 'CONTENT_CHANGED', 'TEXT_ADDED_BY_CSS', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          isText(html) ? html.replace(/<\/p>$/, ' <i>\uE8B6\uE145</i></p>') : html
        )
      }
    },
    'text-for-screen-readers-shown': {
      about: 'the class that hides notes for screen readers is missing',
      needs: /<a href="(?!#)/,
      codes: ['UNEXPECTED_TEXT', 'CONTENT_CHANGED'],
      target: '.svc-blog a',
      apply: (page) => {
        editElements(page, 'a', 'all', (html) =>
          html.replace('</a>', '<span class="visually-hidden"> (opens in a new window)</span></a>')
        )
      }
    },
    'headings-run-into-text': {
      about: 'a converter makes heading and paragraph one block',
      needs: /<h2[^>]*>[^<]*<\/h2>\s*<p>(?!<img)/,
      codes: ['HEADING_STYLE_LOST', 'HEADINGS_FLATTENED', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog p',
      apply: (page) => {
        replaceText(page, /<h2[^>]*>([^<]*)<\/h2>\s*<p>(?!<img)/g, (html) =>
          html.replace(/<h2[^>]*>([^<]*)<\/h2>\s*<p>/, '<p>$1 ')
        )
      }
    },
    'headings-become-main-headings': {
      about: 'a template counts headings from one',
      needs: /<h2/,
      codes: ['H1_DUPLICATE', 'HEADING_STYLE_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog h1',
      apply: (page) => {
        replaceText(page, /<(\/?)h2/g, (tag) => tag.replace('2', '1'))
      }
    },
    'items-joined-in-pairs': {
      about: 'an importer ends an item only at every second one',
      needs: /<li>[^<]*<\/li>\s*<li>/,
      codes: ['CONTENT_CHANGED', 'LIST_STYLE_LOST'],
      target: '.svc-blog li',
      apply: (page) => {
        replaceText(page, /<li>([^<]*)<\/li>\s*<li>/g, (html) => html.replace(/<\/li>\s*<li>/, ' '))
      }
    },
    'nested-lists-flat': {
      about: 'an editor has lists of one level only',
      needs: /<li>[^<]*\s*<[uo]l>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED', 'BLOCKS_MISALIGNED', 'LOOKS_DIFFERENT'],
      target: '.svc-blog :is(ul, ol)',
      apply: (page) => {
        replaceText(page, /(<li>[^<]*)<([uo])l>([\s\S]*?)<\/\2l>\s*<\/li>/g, (html) =>
          html.replace(/(<li>[^<]*)<([uo])l>([\s\S]*?)<\/\2l>\s*<\/li>/, '$1</li>$3')
        )
      }
    },
    'lists-end-after-two-items': {
      about: 'a template shows only the first entries of lists',
      needs: /<li>(?:(?!<[uo]l>)[\s\S])*<li>(?:(?!<[uo]l>)[\s\S])*<li>/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_CHANGED', 'CONTENT_TRUNCATED'],
      target: '.svc-blog :is(ul, ol)',
      apply: (page) => {
        for (const list of ['ul', 'ol']) {
          if (!new RegExp(`<${list}>(?:\\s*<li>[^<]*</li>){3}`).test(page.article)) continue
          editElements(page, list, 'all', (html) =>
            html.replace(/^(<[uo]l>(?:\s*<li>[^<]*<\/li>){2})[\s\S]*(<\/[uo]l>)$/, '$1$2')
          )
          return
        }
        editElements(page, 'li', -1, () => '')
      }
    },
    'links-as-icons': {
      about: 'a theme shows the icon of a link instead of its words',
      needs: /<a href="(?!#)/,
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'UNEXPECTED_TEXT', 'LINK_TARGETS_CHANGED'],
      target: '.svc-blog a, .svc-blog :has(> a)',
      apply: (page) => {
        editElements(page, 'a', 'all', (html) => html.replace(/>[\s\S]*<\/a>$/, '>&#9656;</a>'))
      }
    },
    'numbers-glued-to-code': {
      about: 'the numbers of lines are part of the code',
      needs: /<pre/,
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT', 'LOOKS_DIFFERENT', 'CODE_FORMAT_LOST'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) => {
          let line = 1
          return html.replace(/(<code[^>]*>)/, '$11').replaceAll(/\n(?!<\/code>)/g, () => `\n${++line}`)
        })
      }
    },
    'code-with-empty-lines': {
      about: 'a filter ends each line of code twice',
      needs: /<pre(?:(?!<\/pre>)[\s\S])*\n(?!<\/code>)/,
      codes: ['CODE_FORMAT_LOST', 'LOOKS_DIFFERENT', 'CONTENT_CHANGED'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) => html.replaceAll('\n', '\n\n'))
      }
    },
    'signs-of-code-typeset': {
      about: 'a typography filter takes signs of code for dashes and arrows',
      needs: /<code[^>]*>(?:(?!<\/code>)[\s\S])*(?:--|&gt;|!=|\.\.)/,
      codes: ['CONTENT_CHANGED', 'LOOKS_DIFFERENT', 'CODE_FORMAT_LOST'],
      target: '.svc-blog code',
      apply: (page) => {
        editElements(page, 'code', 'all', (html) =>
          html.replaceAll('--', '—').replaceAll('!=', '≠').replaceAll('-&gt;', '→').replaceAll(' &gt; ', ' » ')
        )
      }
    },
    'rows-twice': {
      about: 'a query joins two tables and returns each row twice',
      needs: /<table/,
      codes: ['CONTENT_DUPLICATED', 'CONTENT_CHANGED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'tr', 'all', (html) => (html.includes('<td') ? html + html : html))
      }
    },
    'cells-emptied': {
      about: 'an importer drops cells without a style',
      needs: /<table/,
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog table',
      apply: (page) => {
        let count = 0
        editElements(page, 'td', 'all', (html) =>
          ++count % 3 === 2 ? html.replace(/>[\s\S]*<\/td>$/, '></td>') : html
        )
      }
    },
    'quotes-at-the-end': {
      about: 'a template collects the quotes below the text',
      needs: /<blockquote>[\s\S]*<\/blockquote>[\s\S]*<p>/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED'],
      target: '.svc-blog blockquote',
      apply: (page) => {
        editBlocks(page, (blocks) => [
          ...blocks.filter((block) => !block.startsWith('<blockquote')),
          ...blocks.filter((block) => block.startsWith('<blockquote'))
        ])
      }
    },
    'pictures-as-descriptions': {
      about: 'a text browser of a proxy replaces pictures by their descriptions',
      needs: /<img/,
      codes: ['IMAGE_MISSING', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => `[${/ alt="([^"]*)"/.exec(html)![1]!}]`)
      }
    },
    'another-video': {
      about: 'a field of the template has the video of another post',
      needs: /<iframe/,
      codes: ['EMBED_MISSING', 'EMBED_BROKEN'],
      target: '.svc-blog iframe',
      apply: (page) => {
        replaceText(page, /(<iframe[^>]* src="[^"]*\/player\/)[^"]*/, (html) =>
          html.replace(/player\/.*$/, 'player/zZ9yY8xX7wW')
        )
      }
    },
    'video-behind-consent': {
      about: 'a consent tool replaces videos by a notice',
      needs: /<iframe/,
      codes: ['EMBED_MISSING', 'EMBED_BROKEN'],
      apply: (page) => {
        replaceText(page, /<iframe[\s\S]*?<\/iframe>/g, '<p class="consent">Accept marketing cookies to see this.</p>')
      }
    },
    'every-other-block-lost': {
      about: 'a loop of the template skips every other block',
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_CHANGED', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        editBlocks(page, (blocks) => blocks.filter((_, index) => index % 2 === 0))
      }
    },
    'emphasis-on-other-words': {
      about: 'offsets of an editor are wrong by some letters',
      needs: /<p>(?:(?!<\/p>)[\s\S])*<(?:strong|em)>/,
      locales: ['en', 'de', 'pt', 'el', 'vi'],
      codes: ['EMPHASIS_LOST', 'LOOKS_DIFFERENT', 'CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        replaceText(page, /<(strong|em)>([^<]*)<\/\1>([^<]{6})/g, (html) =>
          html.replace(/<(strong|em)>([^<]*)<\/\1>([^<]{6})/, '$2<$1>$3</$1>')
        )
      }
    }
  },
  invisible: {
    'relative-social-image': {
      about: 'the picture of link previews has no host',
      codes: ['OG_IMAGE_BROKEN', 'OG_IMAGE_MISSING'],
      apply: (page) => {
        editHead(page, 'og:image', () => '<meta property="og:image" content="/logo.png">')
      }
    },
    'two-descriptions': {
      about: 'a plugin and the theme both print the description',
      codes: ['META_DESCRIPTION_DUPLICATE'],
      apply: (page) => {
        editHead(page, 'description', (html) => `${html}<meta name="description" content="A blog about everything.">`)
      }
    },
    'two-canonical-addresses': {
      about: 'a plugin and the theme both print a canonical URL',
      codes: ['CANONICAL_INVALID'],
      apply: (page) => {
        editHead(page, 'canonical', (html) => `${html}<link rel="canonical" href="${page.origin}/journal">`)
      }
    },
    'date-of-the-deployment': {
      about: 'the date in the head is that of the last deployment',
      codes: ['DATE_MISMATCH'],
      apply: (page) => {
        page.head.set('dates', '<meta property="article:published_time" content="2018-03-01T00:00:00.000Z">')
      }
    },
    'kept-from-search-by-a-header': {
      about: 'a header of the staging server is left',
      codes: ['NOINDEX'],
      apply: (page) => {
        page.headers = { ...page.headers, 'x-robots-tag': 'noindex, nofollow' }
      }
    },
    'data-of-another-post': {
      about: 'the structured data is that of the next post',
      codes: ['JSONLD_MISMATCH'],
      apply: (page) => {
        editHead(page, 'jsonLd', () => `<script type="application/ld+json">${page.other.blog.schemaOrgJson}</script>`)
      }
    },
    'links-to-the-start-page': {
      about: 'a router replaces all links by the start page',
      needs: /<a href="(?!#)/,
      codes: ['LINK_TARGETS_CHANGED'],
      target: '.svc-blog a',
      apply: (page) => {
        replaceText(page, /<a href="(?!#)[^"]*"/g, '<a href="/"')
        addCss(page, '.unused { color: inherit }')
      }
    }
  }
})
