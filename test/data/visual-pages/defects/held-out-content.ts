import { escapeHtml } from '../../../../lib/html.ts'
import { editBlocks, editElements, editTexts, listBlocks, say } from '../edit.ts'
import { damage, defineDefects, replaceArticle } from './define.ts'

/** Defects of the text: failed requests, filters, translations and encodings. */
export const CONTENT_HELD_OUT = defineDefects('held-out', {
  visible: {
    'lead-missing': {
      about: 'the first paragraph is missing',
      codes: ['CONTENT_INCOMPLETE'],
      apply: (page) => {
        editElements(page, 'p', 0, () => '')
      }
    },
    'skeleton-forever': {
      about: 'gray bars wait for a request that failed',
      codes: ['CONTENT_MISSING'],
      apply: replaceArticle(() => '<div style="height:1.2em;margin:1em 0;background:#8884"></div>'.repeat(14))
    },
    'two-lines-of-each-paragraph': {
      about: 'paragraphs are clamped to two lines',
      locales: ['en', 'de', 'ar'],
      codes: ['TEXT_CLIPPED', 'TEXT_CUT_OFF', 'CONTENT_TRUNCATED'],
      ...damage(
        '.svc-blog > p',
        'display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden'
      )
    },
    'sections-collapsed': {
      about: 'the text is in a closed accordion',
      codes: ['TEXT_HIDDEN'],
      target: '.svc-blog details.fold',
      apply: (page) => {
        editBlocks(page, (blocks) => [
          ...blocks.slice(0, 2),
          `<details class="fold"><summary>…</summary>${blocks.slice(2).join('')}</details>`
        ])
      }
    },
    'quotes-dropped': {
      about: 'a filter removes quotes',
      needs: /<blockquote/,
      codes: ['CONTENT_INCOMPLETE'],
      apply: (page) => {
        editElements(page, 'blockquote', 'all', () => '')
      }
    },
    'code-dropped': {
      about: 'a filter removes code',
      needs: /<pre/,
      codes: ['CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        editElements(page, 'pre', 'all', () => '')
      }
    },
    'declared-as-windows-1252': {
      about: 'the server declares the wrong encoding',
      locales: ['de', 'ar', 'ja'],
      codes: ['MOJIBAKE'],
      apply: (page) => {
        page.headers['content-type'] = 'text/html; charset=windows-1252'
        page.head.set('charset', '')
      }
    },
    'garbled-quotation-marks': {
      about: 'some characters are garbled',
      locales: ['en', 'de'],
      codes: ['MOJIBAKE', 'CONTENT_CHANGED'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/, /g, 'â€™, Â ')))
      }
    },
    'question-marks': {
      about: 'characters that an old database does not know are question marks',
      locales: ['de', 'ar', 'ja'],
      codes: [
        'MOJIBAKE',
        'CONTENT_CHANGED',
        'CONTENT_MISSING',
        'CONTENT_INCOMPLETE',
        'WRONG_POST',
        'CONTENT_TRUNCATED'
      ],
      apply: (page) => {
        page.article = editTexts(page.article, (text) => text.replaceAll(/[^\u0000-\u007f]/g, '?'))
      }
    },
    'tags-of-one-paragraph': {
      about: 'one paragraph is shown as HTML source',
      codes: ['ESCAPED_HTML'],
      apply: (page) => {
        editElements(page, 'p', 'middle', (html) => `<p>${escapeHtml(`<p class="lead"><em>${html}</em></p>`)}</p>`)
      }
    },
    'json-as-text': {
      about: 'the response of the API is printed above the text',
      codes: ['ESCAPED_HTML', 'UNEXPECTED_TEXT', 'CONTENT_MIXED', 'PLACEHOLDER_TEXT', 'CONTENT_DUPLICATED'],
      apply: (page) => {
        const { slug, tags, wordCount } = page.post.blog
        const data = {
          data: { slug, tags, wordCount, cover: null, blocks: [{ type: 'paragraph', id: 'b1' }] },
          error: null
        }
        page.beforeArticle = `<div style="overflow-wrap:anywhere">${escapeHtml(JSON.stringify(data))}</div>`
      }
    },
    'second-half-twice': {
      about: 'infinite scrolling appends the second half again',
      codes: ['CONTENT_DUPLICATED'],
      apply: (page) => {
        const blocks = listBlocks(page)
        page.afterArticle = `<div class="svc-blog">${blocks.slice(blocks.length / 2).join('')}</div>`
      }
    },
    'steps-reversed': {
      about: 'the steps of the list are in reverse order',
      needs: /<ol>\n<li>[\s\S]*?<li>[\s\S]*?<li>[\s\S]*?<\/ol>/,
      codes: ['CONTENT_REORDERED'],
      apply: (page) => {
        editElements(
          page,
          'ol',
          0,
          (html) => `<ol>${(html.match(/<li>[\s\S]*?<\/li>/g) ?? []).toReversed().join('')}</ol>`
        )
      }
    },
    'another-post-within': {
      about: 'paragraphs of another post are between ours',
      codes: ['CONTENT_MIXED', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        const foreign = (page.other.blog.htmlContent.match(/<p>[^<]{40,}[\s\S]*?<\/p>/g) ?? []).slice(0, 3)
        editBlocks(page, (blocks) => [...blocks.slice(0, 4), ...foreign, ...blocks.slice(4)])
      }
    },
    'words-censored': {
      about: 'a word filter replaces parts of words',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/ut|as|st/g, '****')))
      }
    },
    'glossary-inserted': {
      about: 'a plugin inserts explanations into sentences',
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'UNEXPECTED_TEXT'],
      apply: (page) => {
        const note = say(page, { en: ' (buy now!)', de: ' (jetzt kaufen!)', ar: ' (اشتر الآن!)', ja: '(今すぐ購入)' })
        editElements(page, 'p', 'all', (html) => editTexts(html, (text) => text.replaceAll(/([,،、])/g, `${note}$1`)))
      }
    },
    'headline-cut': {
      about: 'the headline is cut after twelve characters',
      codes: ['HEADLINE_MISMATCH', 'HEADLINE_MISSING'],
      apply: (page) => {
        page.heading = `<h1>${escapeHtml(page.post.blog.title.slice(0, page.post.blog.locale === 'ja' ? 5 : 12))}…</h1>`
      }
    },
    'object-in-byline': {
      about: 'the byline shows values of a program',
      codes: ['PLACEHOLDER_TEXT'],
      apply: (page) => {
        page.byline = '<p class="byline">[object Object] · undefined · NaN min</p>'
      }
    },
    'consent-instead-of-text': {
      about: 'the text waits for consent',
      codes: ['CONTENT_MISSING', 'LOGIN_WALL'],
      apply: replaceArticle(
        (page) =>
          `<p>${say(page, {
            en: 'Accept all cookies to see this content.',
            de: 'Akzeptieren Sie alle Cookies, um diesen Inhalt zu sehen.',
            ar: 'اقبل جميع الملفات لعرض هذا المحتوى.',
            ja: 'この内容を見るには、すべてのクッキーに同意してください。'
          })}</p><button type="button">OK</button>`
      )
    },
    'members-only': {
      about: 'a login form is shown instead of the text',
      codes: ['LOGIN_WALL', 'CONTENT_MISSING'],
      apply: replaceArticle(
        () =>
          '<form method="post"><p>Log in to continue reading.</p><label>E-mail <input type="email" ' +
          'name="user"></label>' +
          '<label>Password <input type="password" name="password"></label><button>Log in</button></form>'
      )
    },
    'text-of-another-post': {
      about: 'the cache has the text of another post below the right headline',
      codes: ['WRONG_POST', 'CONTENT_MISSING'],
      apply: replaceArticle((page) => page.other.blog.htmlContent)
    },
    'hyphens-within-words': {
      about: 'soft hyphens became hyphens',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          editTexts(html, (text) => text.replaceAll(/\b(\w{4})(\w{3,})\b/g, '$1-$2'))
        )
      }
    },
    'spaces-around-elements-lost': {
      about: 'a minifier removes spaces around links and emphasis',
      locales: ['en', 'de'],
      codes: ['CONTENT_CHANGED', 'CONTENT_INCOMPLETE'],
      target: '.svc-blog :is(strong, em, a, code)',
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.replaceAll(/ (<(?:strong|em|a|code)\b)/g, '$1').replaceAll(/(<\/(?:strong|em|a|code)>) /g, '$1')
        )
      }
    },
    'under-maintenance': {
      about: 'the site is under maintenance',
      codes: ['CONTENT_MISSING', 'SOFT_404', 'HEADLINE_MISSING'],
      apply: (page) => {
        page.heading = '<h1>We will be back soon</h1>'
        page.byline = ''
        page.article = '<p>The site is being updated. Please try again in an hour.</p>'
      }
    },
    'error-boundary': {
      about: 'a script replaces the text by an error message',
      codes: ['CONTENT_MISSING', 'JS_ERROR'],
      apply: (page) => {
        page.bodyEnd =
          "<script>setTimeout(() => { document.querySelector('.svc-blog').innerHTML = '<p>Something went " +
          "wrong.</p>' }, 600)</script>"
      }
    },
    'translated-by-widget': {
      about: 'a widget shows the text in another language',
      locales: ['de', 'ar', 'ja'],
      codes: ['WRONG_POST', 'CONTENT_MISSING', 'CONTENT_CHANGED', 'CONTENT_INCOMPLETE', 'CONTENT_TRUNCATED'],
      apply: (page) => {
        editElements(
          page,
          'p',
          'all',
          () => '<p>This sentence was translated by a machine and means something else.</p>'
        )
        editElements(page, 'li', 'all', () => '<li>An item that was translated</li>')
        editElements(page, 'h2', 'all', () => '<h2>Translated heading</h2>')
      }
    }
  }
})
