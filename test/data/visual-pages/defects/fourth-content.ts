import { editBlocks, editElements, editHead, editTexts, listBlocks, replaceText } from '../edit.ts'
import { damage, defineDefects } from './define.ts'
import { toSections } from './third.ts'

const CELLS = /<(td|th)[^>]*>[\s\S]*?<\/\1>/g

/** Changes the cells of each row of the first table. */
const editRows = (html: string, edit: (cells: string[]) => string[]): string =>
  html.replaceAll(/(<tr[^>]*>)([\s\S]*?)(<\/tr>)/g, (_, open: string, row: string, close: string) => {
    const cells = [...row.matchAll(CELLS)].map(([cell]) => cell)
    return open + edit(cells).join('') + close
  })

/** Defects of the fourth set in texts and structure: editors, importers, sanitizers and plugins. */
export const FOURTH_CONTENT_TUNE = defineDefects('tune', {
  visible: {
    'list-starts-at-seven': {
      about: 'an importer numbers the steps from seven on',
      needs: /<ol>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog ol',
      apply: (page) => {
        editElements(page, 'ol', 0, (html) => html.replace('<ol', '<ol start="7"'))
      }
    },
    'list-counts-down': {
      about: 'the steps are numbered backwards',
      needs: /<ol>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog ol',
      apply: (page) => {
        editElements(page, 'ol', 0, (html) => html.replace('<ol', '<ol reversed'))
      }
    },
    'steps-become-points': {
      about: 'an editor turns numbered lists into bulleted ones',
      needs: /<ol>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog ul',
      apply: (page) => {
        editElements(page, 'ol', 'all', (html) => html.replace(/^<ol/, '<ul').replace(/<\/ol>$/, '</ul>'))
      }
    },
    'steps-shuffled': {
      about: 'the steps are in another order',
      needs: /<ol>/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED'],
      target: '.svc-blog ol',
      apply: (page) => {
        editElements(page, 'ol', 0, (html) => {
          const items = [...html.matchAll(/<li>[\s\S]*?<\/li>/g)].map(([item]) => item)
          return `<ol>${[...items.slice(2), ...items.slice(0, 2).toReversed()].join('')}</ol>`
        })
      }
    },
    'items-in-one-line': {
      about: 'a sanitizer removes lists and keeps their words',
      needs: /<ul>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED', 'TEXT_RUN_TOGETHER'],
      target: '.svc-blog .flattened',
      apply: (page) => {
        editElements(
          page,
          'ul',
          0,
          (html) => `<p class="flattened">${html.replaceAll(/<\/?(?:ul|li)[^>]*>/g, ' ')}</p>`
        )
      }
    },
    'no-break-spaces': {
      about: 'an editor stores every space as a no-break space',
      locales: ['en', 'de', 'ar'],
      codes: [
        'CONTENT_CHANGED',
        'HORIZONTAL_OVERFLOW',
        'TEXT_OFFSCREEN',
        'TEXT_CUT_OFF',
        'TEXT_CLIPPED',
        'LOOKS_DIFFERENT'
      ],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/ /g, '\u00a0')))
      }
    },
    'hyphens-within-words': {
      about: 'a PDF importer keeps the hyphens of another layout',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/(?<![\w/.-])(\p{Ll}{4})(\p{Ll}{3,})(?![\w/.-])/gu, '$1- $2'))
        )
      }
    },
    'punctuation-as-mojibake': {
      about: 'quotes and dashes are decoded with another encoding',
      locales: ['en', 'de'],
      codes: ['MOJIBAKE', 'CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/, /g, 'â€š ')))
      }
    },
    'umlauts-dropped': {
      about: 'a filter keeps only the letters of English',
      locales: ['de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/[äöüß]/gi, '')))
      }
    },
    'rows-reversed': {
      about: 'a table plugin sorts the rows backwards',
      needs: /<table/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'tbody', 0, (html) => {
          const rows = [...html.matchAll(/<tr[^>]*>[\s\S]*?<\/tr>/g)].map(([row]) => row)
          return `<tbody>${rows.toReversed().join('')}</tbody>`
        })
      }
    },
    'cells-below-other-headers': {
      about: 'the cells of a table moved one column on, not the headers',
      needs: /<table/,
      codes: ['CONTENT_REORDERED', 'CONTENT_CHANGED', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'tbody', 0, (html) => editRows(html, ([first, ...rest]) => [...rest, first!]))
      }
    },
    'last-column-dropped': {
      about: 'an importer drops the last column',
      needs: /<table/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_CHANGED', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'table', 0, (html) => editRows(html, (cells) => cells.slice(0, -1)))
      }
    },
    'header-row-dropped': {
      about: 'a table plugin drops the row of headers',
      needs: /<thead/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_CHANGED', 'TABLE_LAYOUT_LOST'],
      target: '.svc-blog table',
      apply: (page) => {
        editElements(page, 'thead', 0, () => '')
      }
    },
    'table-as-paragraph': {
      about: 'a sanitizer removes the tags of tables',
      needs: /<table/,
      codes: ['TABLE_LAYOUT_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog .untabled',
      apply: (page) => {
        editElements(
          page,
          'table',
          0,
          (html) => `<p class="untabled">${html.replaceAll(/<\/?(?:table|thead|tbody|tr|td|th)[^>]*>/g, ' ')}</p>`
        )
      }
    },
    'pictures-swapped': {
      about: 'two pictures changed places, their descriptions did not',
      needs: /<img[\s\S]*<img/,
      codes: ['CONTENT_REORDERED', 'IMAGE_FOREIGN', 'IMAGE_MISSING'],
      target: '.svc-blog img',
      apply: (page) => {
        const [first, second] = [...page.article.matchAll(/<img[^>]*>/g)].map(([html]) => html)
        const withFile = (html: string, other: string): string =>
          html
            .replace(/ srcset="[^"]*"/, / srcset="[^"]*"/.exec(other)?.[0] ?? '')
            .replace(/ src="[^"]*"/, / src="[^"]*"/.exec(other)![0])
        page.article = page.article.replaceAll(/<img[^>]*>/g, (html) =>
          html === first ? withFile(first, second!) : html === second ? withFile(second, first!) : html
        )
      }
    },
    'footnote-numbers-in-line': {
      about: 'an importer makes the numbers of footnotes digits of the sentence',
      needs: /<sup/,
      codes: ['CONTENT_CHANGED', 'EMPHASIS_LOST', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p:has(.was-note)',
      apply: (page) => {
        replaceText(
          page,
          /<sup[^>]*>[\s\S]*?<\/sup>/g,
          (html) => `<span class="was-note">${html.replaceAll(/<[^>]*>/g, '')}</span>`
        )
      }
    },
    'emphasis-stripped': {
      about: 'a paste filter removes bold and italic',
      needs: /<strong/,
      codes: ['EMPHASIS_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog p',
      apply: (page) => {
        replaceText(page, /<\/?(?:strong|em)>/g, '')
      }
    },
    'links-as-addresses': {
      about: 'the words of links are replaced by their addresses',
      needs: /<a href/,
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog a',
      apply: (page) => {
        editElements(page, 'a', 'all', (html) => html.replace(/(href="([^"]*)"[^>]*>)[\s\S]*<\/a>$/, '$1$2</a>'))
      }
    },
    'code-in-one-line': {
      about: 'a minifier joins the lines of code',
      needs: /<pre/,
      codes: ['CODE_FORMAT_LOST', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog pre',
      apply: (page) => {
        editElements(page, 'pre', 'all', (html) => html.replaceAll(/\s*\n\s*/g, ' '))
      }
    },
    'quotes-become-paragraphs': {
      about: 'a converter knows no quotes',
      needs: /<blockquote/,
      codes: ['QUOTE_STYLE_LOST', 'CONTENT_CHANGED'],
      apply: (page) => {
        replaceText(page, /<\/?blockquote[^>]*>/g, '')
      }
    },
    'paragraphs-joined': {
      about: 'a sanitizer removes the tags of paragraphs',
      codes: ['CONTENT_CHANGED', 'LOOKS_DIFFERENT', 'TEXT_RUN_TOGETHER'],
      target: '.svc-blog span',
      apply: (page) => {
        editBlocks(page, (blocks) =>
          blocks.map((block) => (block.startsWith('<p>') ? `<span>${block.slice(3, -4)}</span>` : block))
        )
      }
    },
    'headings-twice': {
      about: 'an accordion plugin prints each heading again as a label',
      needs: /<h2/,
      codes: ['CONTENT_DUPLICATED', 'UNEXPECTED_TEXT', 'CONTENT_CHANGED'],
      target: '.svc-blog .label',
      apply: (page) => {
        editElements(page, 'h2', 'all', (html) => `${html}<p class="label">${html.replaceAll(/<[^>]*>/g, '')}</p>`)
      }
    },
    'headings-become-paragraphs': {
      about: 'an editor turns subheadings into plain paragraphs',
      needs: /<h3/,
      codes: ['HEADINGS_FLATTENED', 'HEADING_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog .flat',
      apply: (page) => {
        editElements(page, 'h3', 'all', (html) => `<p class="flat">${html.replaceAll(/<[^>]*>/g, '')}</p>`)
      }
    },
    'all-tasks-done': {
      about: 'a plugin checks all boxes',
      needs: /type="checkbox"(?![^>]*checked)/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog li:has(input)',
      apply: (page) => {
        editElements(page, 'input', 'all', (html) => html.replace(' checked', '').replace('<input', '<input checked'))
      }
    },
    'glossary-marks-everywhere': {
      about: 'a glossary plugin puts a mark after every long word',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'UNEXPECTED_TEXT', 'TEXT_ADDED_BY_CSS'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/\b[a-zäöü]{6,}\b/g, '$& (i)'))
        )
      }
    },
    'month-before': {
      about: 'the month of the date counts from zero',
      codes: ['DATE_MISMATCH'],
      apply: (page) => {
        const { publishedAt, locale } = page.post.blog
        const before = new Date(Date.parse(publishedAt) - 30 * 86_400_000)
        const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(before)
        page.byline = page.byline.replace(
          /<time[\s\S]*<\/time>/,
          `<time datetime="${before.toISOString().slice(0, 10)}">${date}</time>`
        )
      }
    },
    'sections-in-closed-tabs': {
      about: 'a plugin puts sections into tabs without buttons',
      codes: ['TEXT_HIDDEN'],
      apply: (page) => {
        editBlocks(page, (blocks) =>
          toSections(blocks).map(
            (section, index) =>
              `<div class="tab" role="tabpanel"${index > 1 ? ' hidden' : ''}>${section.join('')}</div>`
          )
        )
      }
    },
    'sections-from-the-end': {
      about: 'a query sorts the blocks of a page by the wrong column',
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editBlocks(page, (blocks) => {
          const sections = toSections(blocks)
          return sections.length > 1 ? sections.toReversed().flat() : blocks.toReversed()
        })
      }
    },
    'middle-sections-lost': {
      about: 'an import stops at a limit for each field and continues with the last one',
      codes: ['CONTENT_MISSING', 'CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED', 'IMAGE_MISSING'],
      apply: (page) => {
        const { length } = listBlocks(page)
        editBlocks(page, (blocks) => blocks.filter((_, index) => index < length * 0.4 || index > length * 0.7))
      }
    },
    'video-as-address': {
      about: 'a filter replaces the player by its address',
      needs: /<iframe/,
      codes: ['EMBED_MISSING'],
      apply: (page) => {
        editElements(page, 'iframe', 'all', (html) => `<span>${/src="([^"]*)"/.exec(html)![1]!}</span>`)
      }
    },
    'video-flat': {
      about: 'the player has the height of a line',
      needs: /<iframe/,
      codes: ['EMBED_BROKEN', 'EMBED_MISSING'],
      ...damage('.svc-blog iframe', 'height: 22px !important; min-height: 0; aspect-ratio: auto !important')
    },
    'title-of-the-site-as-headline': {
      about: 'the heading of the page is the name of the site',
      codes: ['HEADLINE_MISSING', 'HEADLINE_MISMATCH'],
      apply: (page) => {
        page.heading = '<h1>Blog</h1>'
      }
    }
  },
  invisible: {
    'descriptions-swapped': {
      about: 'two pictures have the description of the other one',
      needs: /<img[\s\S]*<img/,
      codes: ['IMAGE_ALT_CHANGED', 'CONTENT_REORDERED', 'IMAGE_FOREIGN'],
      target: '.svc-blog img',
      apply: (page) => {
        const alts = [...page.article.matchAll(/<img[^>]* alt="([^"]*)"/g)].map(([, alt]) => alt!)
        page.article = page.article.replaceAll(/ alt="([^"]*)"/g, (whole, alt: string) =>
          alt === alts[0] ? ` alt="${alts[1]!}"` : alt === alts[1] ? ` alt="${alts[0]!}"` : whole
        )
      }
    },
    'footnote-links-cut': {
      about: 'a router takes the links of footnotes for its own and removes their targets',
      needs: /href="#/,
      codes: ['LINK_TARGETS_CHANGED'],
      target: '.svc-blog a',
      apply: (page) => {
        replaceText(page, /href="#[^"]+"/g, 'href="#"')
      }
    },
    'description-of-the-site': {
      about: 'every page has the description of the site',
      codes: ['META_DESCRIPTION_MISMATCH'],
      apply: (page) => {
        editHead(page, 'description', () => '<meta name="description" content="A blog about tools, gardens and time.">')
      }
    }
  }
})
