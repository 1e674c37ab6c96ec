import { addCss } from '../edit.ts'
import { defineHarmless } from './define.ts'

const DESKTOP = '@media (min-width: 900px)'

/** Harmless changes of the fourth set that were written when the rules had been tuned on the others. */
export const FOURTH_HARMLESS_LATER_TUNE = defineHarmless('tune', {
  'lists-in-two-columns': {
    needs: /<ul>/,
    apply: (page) => {
      addCss(page, `${DESKTOP} { .svc-blog ul { columns: 2 } }`)
    }
  },
  'lead-in-the-center': '.svc-blog > p:first-child { text-align: center; font-size: 1.2em; padding-inline: 8% }',
  'pictures-on-alternating-sides': {
    needs: /<img/,
    apply: (page) => {
      addCss(
        page,
        `${DESKTOP} { .svc-blog p:has(> img:only-child) { float: inline-start; width: 42%; margin: 0 1.5em 1em 0 } ` +
          '.svc-blog p:has(> img:only-child) ~ p:has(> img:only-child) { float: inline-end; margin: 0 0 1em 1.5em } ' +
          '.svc-blog h2 { clear: both } }'
      )
    }
  },
  'steps-as-cards': {
    needs: /<ol>/,
    apply: (page) => {
      addCss(
        page,
        '.svc-blog ol { display: grid; gap: 1rem; padding: 0; list-style-position: inside } .svc-blog ol > li { ' +
          'border: ' +
          `1px solid #8886; border-radius: 8px; padding: 1rem } ${DESKTOP} { .svc-blog ol {
grid-template-columns: 1fr 1fr } }`
      )
    }
  },
  'last-paragraph-in-a-box':
    '.svc-blog > p:last-of-type { border: 1px solid #8886; padding: 1.25rem; margin-block: 2rem }',
  'tight-headings': '.svc-blog :is(h2, h3) { margin-block-end: 0 } .svc-blog :is(h2, h3) + * { margin-block-start: 0 }',
  'subsections-indented': `${DESKTOP} { .svc-blog h3, .svc-blog h3 ~ :not(h2, h3) { margin-inline-start: 2.5rem } }`,
  'small-gaps': '.svc-blog p { margin-block: .45em } .svc-blog h2 { margin-block: 1em .2em }',
  'headings-at-the-end-of-lines': '.svc-blog :is(h2, h3) { text-align: end }'
})
