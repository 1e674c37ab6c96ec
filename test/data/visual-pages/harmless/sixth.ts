import { addCss, editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page } from '../types.ts'
import { defineHarmless } from './define.ts'

/** Puts something of the site between two blocks in the middle of the article. */
const insertInTheMiddle = (page: Page, html: string): void => {
  editBlocks(page, (blocks) => {
    const at = Math.ceil(blocks.length / 2)
    return [...blocks.slice(0, at), html, ...blocks.slice(at)]
  })
}

/** Harmless changes of the sixth set: what sites add to articles. */
export const SIXTH_HARMLESS_TUNE = defineHarmless('tune', {
  'reading-time-and-words': (page) => {
    page.byline = page.byline.replace('</p>', ' · <span class="minutes">6 min · 940</span></p>')
  },
  'advert-with-label': (page) => {
    insertInTheMiddle(page, `<div class="ad-slot">${furniture.advert(page)}</div>`)
    addCss(page, '.ad-slot { border-block: 1px solid #8884; margin-block: 2em; padding-block: .5em }')
  },
  'card-of-a-related-post': (page) => {
    insertInTheMiddle(
      page,
      '<a class="related-card" href="/articles/9"><img src="/assets/card-two.jpg" alt="" width="120" height="78"> ' +
        '<span>42</span></a>'
    )
    addCss(
      page,
      '.related-card { display: flex; gap: 1rem; align-items: center; border: 1px solid #8886; padding: .75rem; ' +
        'margin-block: 1.5em }'
    )
  },
  'letter-box-in-the-text': (page) => {
    insertInTheMiddle(page, `<div class="signup">${furniture.newsletter(page)}</div>`)
    addCss(page, '.signup { background: #8882; border-radius: 8px }')
  },
  'folded-contents': {
    needs: /<h2 id/,
    apply: (page) => {
      page.beforeArticle += `<details class="toc"><summary>☰</summary>${furniture.contents(page)}</details>`
    }
  },
  'share-bar-beside-the-text': (page) => {
    page.beforeArticle += furniture.shareBar(page)
    addCss(
      page,
      '@media (min-width: 1200px) { .share { position: fixed; inset: 30% auto auto 8px; display: grid; ' +
        'font-size: 12px } }'
    )
  },
  'comments-below': (page) => {
    page.afterArticle += `${furniture.authorBox(page)}${furniture.comments(page)}`
  },
  'player-above-the-text': (page) => {
    page.beforeArticle += '<audio controls preload="none" src="/assets/read.mp3" style="width: 100%"></audio>'
  },
  'line-of-the-last-update': (page) => {
    const { publishedAt } = page.post.blog
    const time = `<time datetime="${publishedAt}">${publishedAt.slice(0, 10)}</time>`
    page.afterArticle += `<p class="updated"><small>↻ ${time}</small></p>`
  },
  'trail-above-the-title': (page) => {
    page.heading = `${furniture.breadcrumbs(page)}${page.heading}`
  },
  'button-to-the-top': (page) => {
    page.bodyEnd += '<a class="to-top" href="#" aria-label="Top">↑</a>'
    addCss(
      page,
      '.to-top { position: fixed; inset: auto 12px 12px auto; width: 44px; height: 44px; display: grid; place-items: ' +
        'center; background: #222; color: #fff; border-radius: 50% }'
    )
  },
  'tables-in-a-frame-with-a-caption': {
    needs: /<table>/,
    apply: (page) => {
      editElements(page, 'table', 'all', (html) => `<figure class="table-frame">${html}</figure>`)
      addCss(page, '.table-frame { margin: 0; border: 1px solid #8886; border-radius: 8px; overflow: auto }')
    }
  },
  'anchors-on-hover': {
    needs: /<h2 id/,
    apply: (page) => {
      editElements(page, 'h2', 'all', (html) =>
        html.replace(
          /<h2 id="([^"]*)">/,
          '<h2 id="$1"><a class="hash" href="#$1" aria-hidden="true" tabindex="-1">#</a>'
        )
      )
      addCss(
        page,
        '.hash { float: inline-start; width: 1em; margin-inline-start: -1em; opacity: 0 } h2:hover .hash { opacity: 1 }'
      )
    }
  },
  'tip-of-the-site': (page) => {
    insertInTheMiddle(
      page,
      `<aside class="tip"><strong>★</strong> <a href="/join">${furniture.siteName(page)}</a></aside>`
    )
    addCss(page, '.tip { border: 2px dashed #8888; padding: 1rem; margin-block: 1.5em; text-align: center }')
  },
  'wrapped-paragraphs': (page) => {
    editElements(page, 'p', 'all', (html) =>
      html.replace(/^<p>([\s\S]*)<\/p>$/, '<p><span class="text-body">$1</span></p>')
    )
  },
  'pictures-framed': {
    needs: /<p><img/,
    apply: (page) => {
      addCss(page, '.svc-blog p > img:only-child { padding: 6px; border: 1px solid #999; background: #fff }')
    }
  }
})
