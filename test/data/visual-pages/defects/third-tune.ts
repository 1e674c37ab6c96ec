import { addCss, editBlocks, editElements, editTexts, listBlocks, say } from '../edit.ts'
import { damage, defineDefects } from './define.ts'
import { toSections, withoutSpaces } from './third.ts'

/** Defects of the third set: themes, plugins, consent tools and editors. */
export const THIRD_TUNE = defineDefects('tune', {
  visible: {
    'words-run-together': {
      about: 'a minifier removes the spaces around links and emphasis',
      locales: ['en', 'de'],
      needs: /\w <(?:a|strong|em)\b/,
      codes: ['CONTENT_CHANGED'],
      apply: (page) => {
        editElements(page, 'p', 'all', withoutSpaces)
      }
    },
    'numbers-dropped': {
      about: 'a filter against telephone numbers removes all digits',
      needs: /<p>[^<]*\d/,
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/\d/g, '')))
        editElements(page, 'table', 'all', (html) => editTexts(html, (text) => text.replaceAll(/\d/g, '')))
      }
    },
    'giant-link-icons': {
      about: 'the icon after links has no size',
      codes: ['LOOKS_DIFFERENT', 'IMAGE_FOREIGN', 'TEXT_OVERLAP', 'LARGE_GAP'],
      ...damage(
        '.svc-blog a',
        '--icon: 0; &::after { content: ""; display: inline-block; width: 240px; height: 240px; background: #d33 }'
      )
    },
    'slides-in-a-row': {
      about: 'a carousel script takes the blocks of the article for slides',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_OFFSCREEN', 'TEXT_HIDDEN', 'HORIZONTAL_OVERFLOW'],
      apply: (page) => {
        addCss(page, '.svc-blog { display: flex; overflow: hidden } .svc-blog > * { flex: 0 0 100%; min-width: 0 }')
      }
    },
    'headings-with-closed-texts': {
      about: 'an accordion plugin folds every section',
      codes: ['TEXT_HIDDEN'],
      apply: (page) => {
        editBlocks(page, (blocks) =>
          toSections(blocks).map(([first, ...rest]) =>
            first!.startsWith('<h2')
              ? `<details><summary>${first}</summary>${rest.join('')}</details>`
              : first! + rest.join('')
          )
        )
      }
    },
    'unscaled-corner': {
      about: 'pictures show the corner of the file in full size',
      needs: /<img/,
      codes: ['IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'width: 100%; height: 180px; object-fit: none; object-position: 0 0')
    },
    'first-picture-everywhere': {
      about: 'a cache answers every picture with the first one',
      needs: /<img[\s\S]*<img/,
      codes: ['IMAGE_FOREIGN'],
      target: '.svc-blog img',
      apply: (page) => {
        const first = /<img[^>]*>/.exec(page.article)![0]
        const source = / src="([^"]*)"/.exec(first)![1]!
        editElements(page, 'img', -1, (html) =>
          html.replace(/ src(?:set)?="[^"]*"/g, '').replace('<img', `<img src="${source}"`)
        )
      }
    },
    'inverted-pictures': {
      about: 'a plugin for dark mode inverts photographs',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT'],
      ...damage('.svc-blog img', 'filter: invert(1)')
    },
    'preview-never-sharp': {
      about: 'the blurred preview of pictures stays',
      needs: /<img/,
      codes: ['IMAGE_LOW_RESOLUTION', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog img', 'filter: blur(14px)')
    },
    'pictures-need-consent': {
      about: 'a consent tool replaces pictures by a notice',
      needs: /<img/,
      codes: ['IMAGE_MISSING'],
      apply: (page) => {
        const text = say(page, {
          en: 'Accept marketing cookies to see this content.',
          de: 'Bitte Marketing-Cookies erlauben, um diesen Inhalt zu sehen.',
          ar: 'اقبل ملفات التسويق لعرض هذا المحتوى.',
          ja: 'この内容を見るにはクッキーを許可してください。'
        })
        editElements(page, 'img', 'all', () => `<span class="consent-box">${text}</span>`)
      }
    },
    'dark-box-dark-text': {
      about: 'dark mode darkens the article but not its text',
      codes: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR'],
      apply: (page) => {
        addCss(page, '.svc-blog { background: #15181c } .svc-blog :is(p, li, td, h2, h3) { color: #23262b }')
      },
      target: '.svc-blog *'
    },
    'table-cut-after-two-rows': {
      about: 'the box of the table has a fixed height',
      needs: /<table/,
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF'],
      ...damage('.svc-table', 'display: block; max-height: 4.5rem; overflow: hidden')
    },
    'columns-hidden-on-phones': {
      about: 'tables lose their columns on phones',
      needs: /<table/,
      codes: ['TEXT_HIDDEN'],
      apply: (page) => {
        addCss(page, '@media (max-width: 700px) { .svc-blog :is(td, th):nth-child(n + 2) { display: none } }')
      },
      target: '.svc-blog :is(td, th)'
    },
    'items-twice': {
      about: 'every list item is rendered twice',
      needs: /<li/,
      codes: ['CONTENT_DUPLICATED', 'CONTENT_CHANGED', 'UNEXPECTED_TEXT'],
      target: '.svc-blog li',
      apply: (page) => {
        editElements(page, 'ul', 0, (html) => html.replaceAll(/<li[^>]*>[\s\S]*?<\/li>/g, '$&$&'))
      }
    },
    'every-step-is-one': {
      about: 'each step is a list of its own, so that all have the number 1',
      needs: /<ol[^>]*>\s*<li>/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      target: '.svc-blog ol',
      apply: (page) => {
        editElements(page, 'ol', 0, (html) => html.replaceAll(/<\/li>\s*<li>/g, '</li></ol><ol><li>'))
      }
    },
    'paragraphs-stick': {
      about: 'all paragraphs stick to the top and lie over each other',
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP', 'VIEWPORT_OBSTRUCTED'],
      ...damage('.svc-blog > p', 'position: sticky; top: 0')
    },
    'share-bar-over-text': {
      about: 'a fixed bar covers the start of all lines on phones',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd +=
          '<div class="bar" style="position:fixed;inset-block:0;inset-inline-start:0;width:96px;background:#345;' +
          'z-index:99"></div>'
      }
    },
    'replacement-characters': {
      about: 'characters beyond ASCII were lost in a database',
      locales: ['de', 'ja', 'ar'],
      codes: ['MOJIBAKE'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/[^\x00-\x7f]/g, '\ufffd')))
      }
    },
    'debug-frames': {
      about: 'a developer left frames around every element',
      codes: ['LOOKS_DIFFERENT'],
      ...damage('.svc-blog *', 'outline: 3px solid #f00; background: #0f03')
    },
    'component-without-slot': {
      about: 'a web component has no slot for the article',
      codes: ['TEXT_HIDDEN', 'CONTENT_MISSING'],
      apply: (page) => {
        page.article = `<post-body>${page.article}</post-body>`
        page.bodyEnd += `<script>customElements.define('post-body', class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<section></section>' } })</script>`
      }
    },
    'hard-line-breaks': {
      about: 'an e-mail importer breaks lines after a few words',
      locales: ['en', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'COLUMN_TOO_NARROW', 'LOOKS_DIFFERENT'],
      target: '.svc-blog p',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/((?:\S+\s+){4})/g, '$1<br>'))
        )
      }
    },
    'empty-paragraphs': {
      about: 'an editor leaves ten empty paragraphs after each block',
      codes: ['LARGE_GAP'],
      target: '.empty-line',
      apply: (page) => {
        editBlocks(page, (blocks) => blocks.map((block) => block + '<p class="empty-line">&nbsp;</p>'.repeat(10)))
      }
    },
    'pictures-at-the-end': {
      about: 'all pictures are below the text',
      needs: /<img/,
      codes: ['CONTENT_REORDERED'],
      target: '.svc-blog img',
      apply: (page) => {
        const pictures = [...page.article.matchAll(/<img[^>]*>/g)].map(([html]) => html)
        editElements(page, 'img', 'all', () => '')
        editBlocks(page, (blocks) => [...blocks, ...pictures.map((html) => `<p>${html}</p>`)])
      }
    },
    'unclosed-emphasis': {
      about: 'everything after the first bold word is bold',
      needs: /<strong/,
      codes: ['EMPHASIS_LOST', 'CONTENT_CHANGED', 'HEADING_STYLE_LOST'],
      target: '.svc-blog strong',
      apply: (page) => {
        editElements(page, 'strong', 'all', (html) => html.replace(/<\/?strong>/g, ''))
        editBlocks(page, ([first, ...rest]) => [first!, `<strong>${rest.join('')}</strong>`])
      }
    },
    'sections-nested': {
      about: 'each section is inside of the one before, and further indented',
      codes: ['COLUMN_TOO_NARROW'],
      target: '.nested',
      apply: (page) => {
        const sections = toSections(listBlocks(page)).map((blocks) => blocks.join(''))
        const nested = sections.reduceRight((inner, section) => `<div class="nested">${section}${inner}</div>`, '')
        editBlocks(page, () => [nested])
        addCss(page, '.nested .nested { margin-inline-start: 14% }')
      }
    },
    'checkboxes-hidden': {
      about: 'the reset of the site removes checkboxes',
      needs: /type="checkbox"/,
      codes: ['LIST_STYLE_LOST', 'CONTENT_CHANGED'],
      ...damage('.svc-blog li:has(input)', '& input { display: none !important }')
    },
    'tail-of-another-post': {
      about: 'the second half is from another post',
      codes: ['WRONG_POST', 'CONTENT_TRUNCATED', 'CONTENT_INCOMPLETE', 'CONTENT_MIXED', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        const foreign = listBlocks({ ...page, article: page.other.blog.htmlContent })
        editBlocks(page, (blocks) => [
          ...blocks.slice(0, Math.ceil(blocks.length / 2)),
          ...foreign.slice(Math.ceil(foreign.length / 2))
        ])
      }
    }
  },
  invisible: {
    'file-names-as-descriptions': {
      about: 'a gallery plugin replaces the descriptions of pictures by file names',
      needs: /<img/,
      codes: ['IMAGE_ALT_CHANGED'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html.replace(/ alt="[^"]*"/, ' alt="IMG_2041.jpg"'))
      }
    }
  }
})
