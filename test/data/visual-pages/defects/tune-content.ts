import { escapeHtml } from '../../../../lib/html.ts'
import { addCss, editBlocks, editElements, editTexts, replaceText, say } from '../edit.ts'
import { damage, defineDefects } from './define.ts'

/** Defects of the text: templates, sanitizers, caches and encodings. */
export const CONTENT_TUNE = defineDefects('tune', {
  visible: {
    'excerpt-only': {
      about: 'the page shows an excerpt',
      codes: ['CONTENT_TRUNCATED', 'CONTENT_INCOMPLETE', 'CONTENT_MISSING'],
      apply: (page) => {
        editBlocks(page, (blocks) => [...blocks.slice(0, 2), '<p><a href="/more">…</a></p>'])
      }
    },
    'fading-paywall': {
      about: 'the text fades out below a height',
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'TEXT_COVERED', 'CONTENT_TRUNCATED'],
      ...damage('.svc-blog', 'max-height: 30rem; overflow: hidden; mask-image: linear-gradient(#000, transparent)')
    },
    'lists-dropped': {
      about: 'the sanitizer of the site removes lists',
      needs: /<ul/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        editElements(page, 'ul', 'all', () => '')
        editElements(page, 'ol', 0, () => '')
      }
    },
    'table-dropped': {
      about: 'the table is missing',
      needs: /<table/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        editElements(page, '.svc-table', 'all', () => '')
      }
    },
    'former-revision': {
      about: 'a paragraph is from a former revision',
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'CONTENT_MIXED', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        const text = say(page, {
          en: 'An earlier version of this section recommended a different order, which turned out to be slower.',
          de: 'In einer früheren Fassung dieses Abschnitts stand eine andere Reihenfolge, die langsamer war.',
          ar: 'أوصت نسخة سابقة من هذا القسم بترتيب آخر ظهر لاحقًا أنه أبطأ بكثير من هذا.',
          ja: '以前の版では別の順番を勧めていましたが、そのほうが時間がかかることが分かりました。'
        })
        editElements(page, 'p', 0, () => `<p>${text}</p>`)
      }
    },
    'entities-escaped-twice': {
      about: 'quotation marks and spaces are shown as entities',
      codes: ['ESCAPED_ENTITIES', 'ESCAPED_HTML'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/[,،、] ?/g, '&amp;#44;&amp;nbsp;'))
        )
      }
    },
    'tags-as-text': {
      about: 'the whole article is shown as HTML source',
      codes: ['ESCAPED_HTML'],
      apply: (page) => {
        page.article = `<div class="svc-blog">${escapeHtml(page.article)}</div>`
      }
    },
    'markdown-not-rendered': {
      about: 'headings and emphasis are shown as Markdown',
      codes: ['ESCAPED_HTML', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        editElements(page, 'h2', 'all', (html) => `<p>## ${html.replace(/<[^>]*>/g, '')}</p>`)
        editElements(page, 'strong', 'all', (html) => `**${html.replace(/<[^>]*>/g, '')}**`)
      }
    },
    'utf8-as-latin1': {
      about: 'UTF-8 was decoded as Latin-1 on its way into the page',
      locales: ['de', 'ar', 'ja'],
      codes: ['MOJIBAKE'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => Buffer.from(text).toString('latin1')))
      }
    },
    'another-post': {
      about: 'the page shows another post',
      codes: ['WRONG_POST'],
      apply: (page) => {
        const { blog } = page.other
        page.article = blog.htmlContent
        page.heading = `<h1>${escapeHtml(blog.title)}</h1>`
        page.head.set('title', `<title>${escapeHtml(blog.title)}</title>`)
      }
    },
    'article-twice': {
      about: 'the article is inserted twice',
      codes: ['CONTENT_DUPLICATED'],
      apply: (page) => {
        page.article += page.article
      }
    },
    'sections-swapped': {
      about: 'the blocks are in reverse order',
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editBlocks(page, (blocks) => blocks.toReversed())
      }
    },
    'paragraphs-shortened': {
      about: 'every paragraph is cut after 60 characters',
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED', 'CONTENT_CHANGED'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => {
          const text = html.replace(/<[^>]*>/g, '')
          return text.length > 60 ? `<p>${text.slice(0, 60)}…</p>` : html
        })
      }
    },
    'author-placeholder': {
      about: 'the byline is a template',
      codes: ['PLACEHOLDER_TEXT'],
      apply: (page) => {
        page.byline = '<p class="byline">{{ post.author.name }} · {{ post.date | format }}</p>'
      }
    },
    'shortcode-left': {
      about: 'a shortcode is shown as text',
      codes: ['PLACEHOLDER_TEXT', 'UNEXPECTED_TEXT', 'CONTENT_MIXED'],
      apply: (page) => {
        editBlocks(page, (blocks) => [
          ...blocks.slice(0, 2),
          '<p>[gallery ids="31,42,57" size="large"]</p>',
          ...blocks.slice(2)
        ])
      }
    },
    'headline-missing': {
      about: 'the page has no headline',
      codes: ['HEADLINE_MISSING', 'H1_MISSING'],
      apply: (page) => {
        page.heading = ''
      }
    },
    'digits-removed': {
      about: 'a filter removes all digits',
      locales: ['en', 'en-GB', 'de', 'ar'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/\d/g, ''))
      }
    },
    'styles-as-text': {
      about: 'CSS is shown as the first paragraph',
      codes: ['UNEXPECTED_TEXT', 'CONTENT_MIXED', 'ESCAPED_HTML', 'PLACEHOLDER_TEXT'],
      apply: (page) => {
        page.article =
          `<p>.post-card { display: flex; gap: 12px } .post-card img { width: 100% } @media ` +
          `(max-width: 600px) { .post-card { display: block } }</p>${page.article}`
      }
    },
    'server-warning': {
      about: 'a warning of the server is above the text',
      codes: ['UNEXPECTED_TEXT', 'CONTENT_MIXED', 'PLACEHOLDER_TEXT'],
      apply: (page) => {
        page.beforeArticle =
          '<p><b>Warning</b>: Undefined array key "cover" in <b>/srv/theme/single.php</b> on line <b>112</b></p>'
      }
    },
    'words-merged': {
      about: 'spaces between words are lost',
      locales: ['en', 'de', 'ar'],
      codes: [
        'CONTENT_CHANGED',
        'CONTENT_INCOMPLETE',
        'CONTENT_MISSING',
        'CONTENT_TRUNCATED',
        'WRONG_POST',
        'HORIZONTAL_OVERFLOW'
      ],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(' ', '')))
      }
    },
    'questions-hidden': {
      about: 'sections of questions are collapsed for good',
      needs: /<h3/,
      codes: ['TEXT_HIDDEN'],
      target: '.svc-blog h3 ~ p',
      apply: (page) => {
        addCss(page, '.svc-blog h3 ~ p { display: none }')
      }
    },
    'link-text-replaced': {
      about: 'links are shown as "click here"',
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'UNEXPECTED_TEXT'],
      target: '.svc-blog p:has(a)',
      apply: (page) => {
        replaceText(page, /(<a href="\/?[^#"][^"]*"[^>]*>)[^<]*(<\/a>)/g, '$1click here now$2')
      }
    }
  }
})
