import { escapeHtml } from '../../../../lib/html.ts'
import { addCss, editBlocks, editElements, editHead, editTexts, listBlocks, replaceText, say } from '../edit.ts'
import { damage, defineDefects } from './define.ts'
import { toSections } from './third.ts'

/** Defects of the third set: translators, networks for pictures, print styles and scripts. */
export const THIRD_HELD_OUT = defineDefects('held-out', {
  visible: {
    'every-second-paragraph-translated': {
      about: 'a translation plugin stopped after some paragraphs',
      codes: [
        'CONTENT_CHANGED',
        'CONTENT_INCOMPLETE',
        'CONTENT_TRUNCATED',
        'CONTENT_MIXED',
        'UNEXPECTED_TEXT',
        'WRONG_POST'
      ],
      target: '.svc-blog p',
      apply: (page) => {
        let index = 0
        const text = say(page, {
          en: 'Dieser Absatz wurde automatisch übersetzt und sagt in etwa das Gleiche wie zuvor, nur anders.',
          de: 'This paragraph was translated by a machine and says about the same as before, in other words.',
          ar: 'This paragraph was translated by a machine and says about the same as before, in other words.',
          ja: 'This paragraph was translated by a machine and says about the same as before, in other words.'
        })
        editElements(page, 'p', 'all', (html) => (index++ % 2 === 0 || html.includes('<img') ? html : `<p>${text}</p>`))
      }
    },
    'figures-off-by-one': {
      about: 'a script formats numbers and changes them',
      needs: /<(?:p|li|td|h\d)\b[^>]*>[^<]*\d\d/,
      codes: ['CONTENT_CHANGED'],
      target: '.svc-blog *',
      apply: (page) => {
        const change = (html: string) =>
          editTexts(html, (text) => text.replaceAll(/\d(?=\d)/g, (digit) => String((Number(digit) + 3) % 10)))
        editBlocks(page, (blocks) => blocks.map(change))
      }
    },
    'newspaper-columns-on-phones': {
      about: 'three columns of text on every screen',
      codes: ['COLUMN_TOO_NARROW', 'TEXT_OVERLAP', 'TEXT_CUT_OFF', 'HORIZONTAL_OVERFLOW'],
      ...damage('.svc-blog', 'columns: 4; column-gap: 6px')
    },
    'two-pictures-swapped': {
      about: "two pictures have each other's place",
      needs: /<img[\s\S]*<img/,
      codes: ['CONTENT_REORDERED', 'IMAGE_FOREIGN'],
      target: '.svc-blog img',
      apply: (page) => {
        const [first, second] = [...page.article.matchAll(/<img[^>]*>/g)].map(([html]) => html)
        const alt = / alt="[^"]*"/
        const swap = (to: string, from: string) => to.replace(alt, () => alt.exec(from)![0])
        page.article = page.article
          .replace(first!, () => '<!--1-->')
          .replace(second!, () => swap(first!, second!))
          .replace('<!--1-->', () => swap(second!, first!))
      }
    },
    'mirrored-pictures': {
      about: 'a plugin for other scripts mirrors pictures',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_DISTORTED', 'TEXT_ROTATED'],
      ...damage('.svc-blog img', 'transform: scaleX(-1)')
    },
    'faded-pictures': {
      about: 'pictures wait for a transition that does not end',
      needs: /<img/,
      codes: ['IMAGE_INVISIBLE', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog img', 'opacity: .12')
    },
    'pictures-as-strips': {
      about: 'a banner rule crops pictures to a strip',
      needs: /<img/,
      codes: ['IMAGE_DISTORTED'],
      ...damage('.svc-blog img', 'width: 100%; height: 70px; object-fit: cover')
    },
    'pictures-of-icons': {
      about: 'pictures have the size of icons',
      needs: /<img/,
      codes: ['IMAGE_TOO_SMALL'],
      ...damage('.svc-blog img', 'width: 48px; height: auto')
    },
    'addresses-after-links': {
      about: 'the print style of the site is used on screens',
      needs: /<a /,
      codes: ['TEXT_ADDED_BY_CSS', 'UNEXPECTED_TEXT'],
      ...damage('.svc-blog a', '&::after { content: " (" attr(href) ")" }')
    },
    'query-hides-every-second-paragraph': {
      about: 'a container query hides paragraphs',
      codes: ['TEXT_HIDDEN'],
      apply: (page) => {
        addCss(
          page,
          '.svc-blog { container-type: inline-size } @container (min-width: 10px) { ' +
            '.svc-blog p:nth-of-type(2n + 1) { display: none } }'
        )
      },
      target: '.svc-blog p'
    },
    'three-lines-then-dots': {
      about: 'paragraphs end after two lines',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF'],
      ...damage(
        '.svc-blog p',
        'display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden'
      )
    },
    'read-more': {
      about: 'the article ends after a part, with a button for the rest',
      codes: ['CONTENT_TRUNCATED', 'CONTENT_INCOMPLETE', 'TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_HIDDEN'],
      apply: (page) => {
        const label = say(page, { en: 'Read more', de: 'Weiterlesen', ar: 'اقرأ المزيد', ja: '続きを読む' })
        page.article =
          `<div class="folded" style="max-height:520px;overflow:hidden">${page.article}</div>` +
          `<button type="button">${label}</button>`
      }
    },
    'letters-backwards': {
      about: 'the letters of paragraphs are in reverse order',
      locales: ['en', 'de', 'ja'],
      codes: ['TEXT_DIRECTION', 'TEXT_ROTATED', 'LOOKS_DIFFERENT'],
      ...damage('.svc-blog p', 'unicode-bidi: bidi-override; direction: rtl')
    },
    'sections-by-alphabet': {
      about: 'a script sorts the sections by their headings',
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editBlocks(page, (blocks) => {
          const [opening, ...sections] = toSections(blocks)
          return [...opening!, ...sections.toReversed().flat()]
        })
      }
    },
    'unclosed-link': {
      about: 'everything after the first link belongs to it',
      needs: /<a /,
      codes: ['LINK_TARGETS_CHANGED', 'LINK_STYLE_LOST'],
      target: '.svc-blog a',
      apply: (page) => {
        const open = /<a [^>]*>/.exec(page.article)![0]
        page.article = page.article.replaceAll(/<a [^>]*>|<\/a>/g, '')
        editBlocks(page, ([first, ...rest]) => [first!, `${open}${rest.join('')}</a>`])
      }
    },
    'pictures-on-top-of-text': {
      about: 'pictures are out of the flow and lie on the text',
      needs: /<img/,
      codes: ['TEXT_COVERED', 'TEXT_OVERLAP'],
      ...damage('.svc-blog img', 'position: absolute; z-index: 2')
    },
    'outlined-letters': {
      about: 'letters are hollow',
      codes: ['LOOKS_DIFFERENT', 'LOW_CONTRAST', 'TEXT_TRANSPARENT', 'TEXT_INVISIBLE_COLOR'],
      ...damage('.svc-blog :is(p, li)', '-webkit-text-fill-color: transparent; -webkit-text-stroke: 1px #888')
    },
    'lightbox-open': {
      about: 'the viewer for pictures covers the page',
      codes: ['TEXT_COVERED', 'VIEWPORT_OBSTRUCTED'],
      apply: (page) => {
        page.bodyEnd +=
          '<div class="viewer" style="position:fixed;inset:0;background:#000e;z-index:999">' +
          '<img src="/assets/banner.jpg" alt="" style="width:100%"></div>'
      }
    },
    'words-blacked-out': {
      about: 'links and bold words are black on black',
      needs: /<(?:a|strong)\b/,
      codes: ['TEXT_INVISIBLE_COLOR', 'LOW_CONTRAST'],
      ...damage('.svc-blog :is(a, strong)', 'color: #000; background: #000')
    },
    'headline-is-the-category': {
      about: 'the headline shows the category',
      codes: ['HEADLINE_MISMATCH', 'HEADLINE_MISSING'],
      target: 'h1',
      apply: (page) => {
        page.heading = `<h1>${escapeHtml(page.post.blog.category ?? '')}</h1>`
      }
    },
    'cells-in-one-line': {
      about: 'the rows of the table are lists without a structure',
      needs: /<table/,
      codes: ['TABLE_LAYOUT_LOST', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog .flat',
      apply: (page) => {
        editElements(
          page,
          'table',
          'all',
          (html) => `<p class="flat">${html.replace(/<\/?(?:table|thead|tbody|tr|td|th)[^>]*>/g, ' ')}</p>`
        )
      }
    },
    'half-size': {
      about: 'the article is zoomed out',
      codes: ['TEXT_SCALED', 'FONT_TOO_SMALL', 'TEXT_SHRUNK'],
      ...damage('.svc-blog', 'zoom: .45')
    },
    'paragraph-missing': {
      about: 'one paragraph of the middle is lost',
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        const longest = listBlocks(page)
          .filter((block) => block.startsWith('<p>') && !block.includes('<img'))
          .toSorted((a, b) => b.length - a.length)[0]!
        editBlocks(page, (blocks) => blocks.filter((block) => block !== longest))
      }
    },
    'drop-caps-everywhere': {
      about: 'every paragraph and list item starts with a giant letter',
      codes: ['LOOKS_DIFFERENT', 'FONT_TOO_LARGE', 'TEXT_OVERLAP'],
      target: '.svc-blog :is(p, li)',
      apply: (page) => {
        addCss(page, '.svc-blog :is(p, li)::first-letter { font-size: 6em; line-height: 1; color: #c00 }')
      }
    }
  },
  invisible: {
    'descriptions-removed': {
      about: 'a sanitizer removes the descriptions of pictures',
      needs: /<img/,
      codes: ['IMAGE_ALT_CHANGED', 'AXE_ARTICLE'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => html.replace(/ alt="[^"]*"/, ' alt=""'))
      }
    },
    'links-lead-home': {
      about: 'all links lead to the start page',
      needs: /<a /,
      codes: ['LINK_TARGETS_CHANGED'],
      target: '.svc-blog a',
      apply: (page) => {
        replaceText(page, /(?<=<a [^>]*)href="[^"]*"/g, 'href="/"')
      }
    },
    'author-of-another-post': {
      about: 'the structured data are those of another post',
      codes: ['JSONLD_MISMATCH'],
      apply: (page) => {
        editHead(page, 'jsonLd', () => `<script type="application/ld+json">${page.other.blog.schemaOrgJson}</script>`)
      }
    }
  }
})
