import { addCss, editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { defineHarmless } from './define.ts'

/** Harmless changes of the seventh set: what themes and plugins rightly do. */
export const SEVENTH_HARMLESS_TUNE = defineHarmless('tune', {
  'icons-of-linked-sites':
    '.svc-blog :is(p, li) > a[href^="http"]::before { content: ""; display: inline-block; width: .9em; height: .9em; ' +
    'background: url(/assets/icon.jpg) center / cover; border-radius: 2px; margin-inline-end: .25em }',
  'notes-in-popovers': {
    needs: /svc-footnote-ref/,
    apply: (page) => {
      editElements(
        page,
        'sup',
        'all',
        (html) => `${html}<span popover id="note-preview" role="note">${furniture.siteName(page)}</span>`
      )
    }
  },
  'label-of-the-language': {
    needs: /<pre/,
    apply: (page) => {
      editElements(
        page,
        'pre',
        'all',
        (html) => `<div class="code-box"><span class="code-language" aria-hidden="true">code</span>${html}</div>`
      )
      addCss(
        page,
        '.code-box { position: relative } .code-language { position: absolute; inset: -.9em .8em ' +
          'auto auto; background: ' +
          '#333; color: #fff; font: 12px/1.5 sans-serif; padding: 0 .6em; border-radius: 4px }'
      )
    }
  },
  'bar-of-a-window-above-code': {
    needs: /<pre/,
    apply: (page) => {
      editElements(page, 'pre', 'all', (html) => `<div class="window"><div class="window-bar"></div>${html}</div>`)
      addCss(
        page,
        '.window { border: 1px solid #8886; border-radius: 8px; overflow: hidden; margin-block: ' +
          '1.5em } .window-bar { ' +
          'height: 26px; background: radial-gradient(circle, #f55 5px, #0000 6px) 0 / 26px, #8882 } ' +
          '.svc-blog .window ' +
          'pre { margin: 0 !important; border: 0 }'
      )
    }
  },
  'heads-of-tables-stick': {
    needs: /<table/,
    apply: (page) => {
      addCss(page, '.svc-blog thead th { position: sticky; inset-block-start: 0 }')
    }
  },
  'initial-of-two-lines': {
    locales: ['en', 'de', 'pt', 'el', 'vi'],
    apply: (page) => {
      addCss(
        page,
        '.svc-blog > p:first-of-type:not(:has(img))::first-letter { initial-letter: 2; margin-inline-end: .15em }'
      )
    }
  },
  'old-style-numbers':
    '.svc-blog { font-variant-numeric: oldstyle-nums; font-feature-settings: "kern", "liga", "calt" }',
  'shadows-below-pictures': {
    needs: /<img/,
    apply: (page) => {
      addCss(page, '.svc-blog img { box-shadow: 0 12px 30px -10px #0006 }')
    }
  },
  'pictures-cut-a-little': {
    needs: /<img/,
    apply: (page) => {
      editElements(page, 'img', 'all', (html) => {
        const [width, height] = ['width', 'height'].map((name) =>
          Number(new RegExp(` ${name}="(\\d+)"`).exec(html)?.[1])
        )
        const ratio = `${width} / ${Math.round(height! * 0.88)}`
        return html.replace('<img', `<img style="aspect-ratio: ${ratio}; object-fit: cover; height: auto"`)
      })
    }
  },
  'pictures-in-other-formats': {
    needs: /<p><img/,
    apply: (page) => {
      editElements(page, 'img', 'all', (html) => {
        const srcset = / srcset="([^"]*)"/.exec(html)?.[1] ?? ''
        return `<picture><source type="image/jpeg" srcset="${srcset}" sizes="100vw">${html}</picture>`
      })
    }
  },
  'preview-below-pictures': {
    needs: /<p><img/,
    apply: (page) => {
      editElements(page, 'img', 'all', (html) => html.replace('<img', '<img style="background: #9aa5b1"'))
    }
  },
  'button-for-the-theme': (page) => {
    page.bodyStart += '<button class="theme" type="button" aria-label="Theme">◐</button>'
    addCss(page, '.theme { position: fixed; inset: 10px 10px auto auto; width: 40px; height: 40px; z-index: 40 }')
  },
  'buttons-to-print-and-listen': (page) => {
    page.beforeArticle +=
      '<p class="actions"><button type="button">🖨</button> <button type="button" aria-label="Listen">▶</button></p>'
  },
  'stars-below-the-text': (page) => {
    page.afterArticle += '<p class="stars" role="img" aria-label="4.5 / 5">★★★★☆ <small>4.5 (28)</small></p>'
  },
  'box-of-a-series': (page) => {
    editBlocks(page, (blocks) => [
      ...blocks.slice(0, 1),
      `<aside class="series">${furniture.relatedList(page)}</aside>`,
      ...blocks.slice(1)
    ])
    addCss(page, '.series { border: 1px solid #8888; border-radius: 8px; padding: .5rem 1rem; margin-block: 1.5em }')
  },
  'box-for-donations': (page) => {
    editBlocks(page, (blocks) => [
      ...blocks.slice(0, -1),
      '<aside class="give"><a href="/give"><strong>☕ 3 €</strong></a></aside>',
      ...blocks.slice(-1)
    ])
    addCss(page, '.give { text-align: center; margin-block: 1.5em } .give a { display: inline-block; padding: .75rem }')
  },
  'numbers-of-lists-in-color': '.svc-blog ol > li::marker { font-weight: 700; color: #b45309 }',
  'lines-beside-nested-lists':
    '.svc-blog li > :is(ul, ol) { border-inline-start: 1px solid #8888; padding-inline-start: 1.5em }',
  'rules-as-dots': {
    needs: /<hr/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog hr { border: 0 !important; height: auto !important; background: none !important; ' +
          'text-align: center } ' +
          '.svc-blog hr::before { content: "• • •" !important }'
      )
    }
  },
  'colors-of-selection-and-bars':
    '::selection { background: #fde047; color: #000 } html { scrollbar-color: #888 #0000; scrollbar-gutter: stable; ' +
    'accent-color: #0f766e } @view-transition { navigation: auto }',
  'thick-underlines':
    '.svc-blog a { text-decoration: underline !important; text-decoration-thickness: .18em !important; ' +
    'text-underline-offset: .2em !important }',
  'video-in-a-frame': {
    needs: /<iframe/,
    apply: (page) => {
      editElements(page, 'iframe', 'all', (html) => `<div class="responsive-video">${html}</div>`)
      addCss(
        page,
        '.responsive-video { aspect-ratio: 16 / 9; border-radius: 12px; overflow: hidden } ' +
          '.responsive-video iframe { ' +
          'width: 100%; height: 100%; border: 0; display: block }'
      )
    }
  },
  'sign-before-quotes': {
    needs: /<blockquote/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog blockquote { position: relative; padding-inline-start: 3rem !important } ' +
          '.svc-blog blockquote::before ' +
          '{ content: "💡" !important; position: absolute !important; inset-block-start: .6em !important; ' +
          'inset-inline: .8rem auto !important; font-size: 1.2em !important; background: none !important; margin: 0 ' +
          '!important; padding: 0 !important; display: block; width: auto !important }'
      )
    }
  },
  'lines-of-sixty-letters': '.svc-blog :is(p, ul, ol, blockquote) { max-width: 60ch }',
  'switch-of-languages': (page) => {
    page.heading = `<p class="languages"><a href="/en">English</a> · <a href="/de">Deutsch</a></p>${page.heading}`
  },
  'paragraphs-separated-more': '.svc-blog > p { margin-block: 1.8em }'
})
