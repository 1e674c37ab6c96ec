import { addCss, editElements, editTexts } from '../edit.ts'
import type { Page } from '../types.ts'
import { damage, defineDefects } from './define.ts'

const TEXT = '.svc-blog p:not(:has(img))'
const LOOKS = ['LOOKS_DIFFERENT', 'TEXT_COVERED', 'LOW_CONTRAST', 'TEXT_BLURRED', 'TEXT_TRANSPARENT', 'TEXT_OVERLAP']

/** A filter of an SVG image, as an address for CSS. */
const filterOf = (primitives: string): string =>
  `url('data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg"><filter id="f">${primitives}</filter></svg>`
  )}#f')`

/** Puts every second letter in an element: those at even places, or at odd ones. */
function markLetters(page: Page, className: string, remainder: 0 | 1): void {
  page.article = editTexts(page.article, (text) =>
    [...text]
      .map((letter, at) =>
        /\p{L}/u.test(letter) && at % 2 === remainder ? `<i class="${className}">${letter}</i>` : letter
      )
      .join('')
  )
}

/** Paints a background over the article. */
function cover(page: Page, background: string): void {
  addCss(page, '.svc-blog { position: relative }')
  const place = "content: ''; position: absolute; inset: 0; z-index: 3; pointer-events: none"
  addCss(page, `.svc-blog::after { ${place}; background: ${background} }`)
}

/**
 * Damage to how text and pictures look that was invented when version 10 of the checker was done, and checked once. The
 * rules were not changed afterwards.
 */
export const SEVENTH_LAST_TUNE = defineDefects('tune', {
  visible: {
    'scan-lines': {
      about: 'a retro theme draws white lines over the article, one in three pixels',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        cover(page, 'repeating-linear-gradient(#fff 0 1px, transparent 1px 3px)')
      }
    },
    'text-skewed': {
      about: 'an animation ends before its last frame',
      codes: [...LOOKS, 'TEXT_ROTATED', 'TEXT_CUT_OFF'],
      ...damage(TEXT, 'transform: skewX(-28deg)')
    },
    'words-tilted': {
      about: 'a script for headlines runs over the paragraphs',
      codes: [...LOOKS, 'TEXT_ROTATED'],
      target: TEXT,
      apply: (page) => {
        page.article = editTexts(page.article, (text) =>
          text.replaceAll(/[\p{L}]{3,}/gu, (word) => `<span class="tilt">${word}</span>`)
        )
        addCss(page, '.tilt { display: inline-block; transform: rotate(9deg) }')
      }
    },
    'colored-fringes': {
      about: 'a glitch effect stays on',
      codes: LOOKS,
      ...damage(TEXT, 'color: transparent; text-shadow: -2px 0 #f00, 2px 0 #0ff')
    },
    'columns-masked': {
      about: 'a mask of vertical stripes from a transition',
      codes: LOOKS,
      ...damage(TEXT, 'mask-image: repeating-linear-gradient(90deg, #000 0 4px, transparent 4px 6px)')
    },
    'letters-eroded': {
      about: 'an SVG filter makes letters thinner than their strokes',
      codes: LOOKS,
      ...damage(TEXT, `filter: ${filterOf('<feMorphology operator="erode" radius="0.6"/>')}`)
    },
    'first-line-doubled': {
      about: 'a shadow of the first line is drawn on the second one',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        addCss(page, `${TEXT}::first-line { text-shadow: 0 1.2em currentColor }`)
      }
    },
    'noise-over-text': {
      about: 'a paper texture is as dark as the letters',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        const noise = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><filter id="n">
<feTurbulence baseFrequency="0.7"/><feColorMatrix values="0 0 0 0 .3 0 0 0 0 .3 0 0 0 0 .3 0 0 0 4 -1.6"/></filter>
<rect width="200" height="200" filter="url(#n)"/></svg>`
        cover(page, `url("data:image/svg+xml,${encodeURIComponent(noise)}")`)
      }
    },
    'lines-through-by-gradient': {
      about: 'an underline by a gradient has its position in percent of another font',
      codes: [...LOOKS, 'TEXT_STRUCK_THROUGH'],
      target: TEXT,
      apply: (page) => {
        editElements(page, 'p', 'all', (html) =>
          html.includes('<img') ? html : html.replace(/>([\s\S]*)<\/p>/, '><span class="line">$1</span></p>')
        )
        addCss(page, `.line { background: linear-gradient(transparent 50%, currentColor 50% 58%, transparent 58%) }`)
      }
    },
    'letters-squeezed': {
      about: 'a negative letter spacing in pixels that was meant for a headline',
      codes: [...LOOKS, 'TEXT_CUT_OFF'],
      ...damage(TEXT, 'letter-spacing: -3.5px')
    },
    'pictures-posterized': {
      about: 'a hover effect is always on',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_INVISIBLE'],
      ...damage('.svc-blog img', 'filter: contrast(9) brightness(1.5)')
    },
    'pictures-in-tiles': {
      about: 'a slider shows the picture as repeated tiles of itself',
      needs: /<img/,
      codes: ['LOOKS_DIFFERENT', 'IMAGE_INVISIBLE', 'IMAGE_TOO_SMALL', 'IMAGE_DISTORTED'],
      target: '.svc-blog img',
      apply: (page) => {
        editElements(page, 'img', 'all', (html) => {
          const source = / src="([^"]*)"/.exec(html)?.[1] ?? ''
          return html
            .replace(/ srcset="[^"]*"/, '')
            .replace(
              /src="[^"]*"/,
              'src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"'
            )
            .replace('<img', `<img style="background: url('${source}') 0 0 / 60px 60px"`)
        })
      }
    },
    'dots-masked': {
      about: 'a halftone mask stays after a transition',
      codes: LOOKS,
      ...damage(TEXT, 'mask: radial-gradient(circle, #000 1.4px, transparent 1.8px) 0 0 / 4px 4px')
    },
    'text-in-perspective': {
      about: 'a card that turns on scrolling stops halfway',
      codes: [...LOOKS, 'TEXT_ROTATED', 'TEXT_CUT_OFF', 'TEXT_SCALED'],
      ...damage(TEXT, 'transform: perspective(500px) rotateY(28deg)')
    },
    'letters-on-a-wave': {
      about: 'a wave animation of a headline runs over the paragraphs',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        markLetters(page, 'up', 0)
        addCss(page, '.up { position: relative; top: -0.25em; font-style: normal }')
      }
    },
    'words-mirrored': {
      about: 'a rule for arrows in right-to-left pages matches every third word',
      codes: [...LOOKS, 'TEXT_ROTATED'],
      target: TEXT,
      apply: (page) => {
        let at = 0
        page.article = editTexts(page.article, (text) =>
          text.replaceAll(/\p{L}{3,}/gu, (word) => (at++ % 3 === 0 ? `<span class="flip">${word}</span>` : word))
        )
        addCss(page, '.flip { display: inline-block; transform: scaleX(-1) }')
      }
    },
    'hard-shadow': {
      about: 'a drop shadow without blur, in the color of the text',
      codes: LOOKS,
      ...damage(TEXT, 'filter: drop-shadow(3px 2px 0 currentColor)')
    },
    'diagonal-stripes': {
      about: 'the pattern of a banner lies on top of the article',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        cover(page, 'repeating-linear-gradient(45deg, #fff 0 2px, transparent 2px 6px)')
      }
    },
    'left-edge-eaten': {
      about: 'a clip path with jagged edges cuts the starts of lines',
      codes: [...LOOKS, 'TEXT_CUT_OFF'],
      ...damage(TEXT, 'clip-path: polygon(18px 0, 0 25%, 22px 50%, 0 75%, 18px 100%, 100% 100%, 100% 0)')
    },
    'small-every-second-letter': {
      about: 'a decorative script sets every second letter smaller',
      codes: LOOKS,
      target: TEXT,
      apply: (page) => {
        markLetters(page, 'low', 1)
        addCss(page, '.low { font-size: 0.6em; font-style: normal }')
      }
    }
  }
})
