import t from 'tap'
import sharp from 'sharp'
import type { FindingCode } from '../../../services/visual-checks/rules/codes.ts'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage, type Page } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]

/** A picture with grain, as of a photograph, about a color. */
async function photograph(color: string, grain: number): Promise<Buffer> {
  const size = { width: 800, height: 1200 }
  const noise = await sharp({
    create: { ...size, channels: 3, background: '#000', noise: { type: 'gaussian', mean: grain, sigma: grain / 2 } }
  })
    .png()
    .toBuffer()
  return await sharp({ create: { ...size, channels: 3, background: color } })
    .composite([{ input: noise, blend: 'add' }])
    .jpeg()
    .toBuffer()
}

const ANSWERS = {
  '/dark.jpg': { type: 'image/jpeg', body: await photograph('#14181a', 12) },
  '/paper.jpg': { type: 'image/jpeg', body: await photograph('#f2efe6', 4) },
  '/bright.jpg': { type: 'image/jpeg', body: await photograph('#d8cfae', 14) }
}
const light = '.content, .content * { color: #fff !important; background-color: transparent !important }'

/** What the page's own CSS does, and what is told of it. */
const DEFECTS: Record<string, { css: string; told: FindingCode[] }> = {
  'dark text on a dark photograph': {
    css: '.content { background: url(/dark.jpg) center/cover }',
    told: ['TEXT_INVISIBLE_COLOR', 'LOW_CONTRAST']
  },
  'light text on a bright photograph that stays while one scrolls': {
    css: `body { background: #111 url(/bright.jpg) fixed } ${light}`,
    told: ['LOW_CONTRAST', 'TEXT_INVISIBLE_COLOR']
  },
  'gray text on a page of paper': {
    css: 'body { background: url(/paper.jpg) } .content, .content * { color: #999 !important; background: none !important }',
    told: ['LOW_CONTRAST']
  },
  'gray text on a page of paper that is wider than a telephone': {
    css: 'body { background: url(/paper.jpg) } .site-footer { width: 800px } .content, .content * { color: #999 !important; background: none !important }',
    told: ['LOW_CONTRAST']
  },
  'a mask that hides what follows the first paragraphs': {
    css: '.content { mask-image: linear-gradient(#000 0, #000 12%, transparent 18%) }',
    told: ['TEXT_TRANSPARENT']
  },
  'white text that is multiplied with its white ground': {
    css: 'html, body { background: #fff } .content * { color: #fff !important; background: none !important; mix-blend-mode: multiply }',
    told: ['TEXT_TRANSPARENT']
  },
  'a filter that makes all one gray': {
    css: 'main { background: #fdfcf8; filter: contrast(0) }',
    told: ['TEXT_TRANSPARENT']
  },
  'a clip-path of an SVG that leaves nothing': {
    css: '.content p, .content li { clip-path: path("M0 0h1v1z") }',
    told: ['TEXT_TRANSPARENT', 'TEXT_CLIPPED']
  }
}

const HARMLESS: Record<string, string> = {
  'white text on a photograph under a dark veil': `.content { background: linear-gradient(#000b, #000b), url(/bright.jpg) center/cover } ${light}`,
  'dark text on a page of paper': 'body { background: url(/paper.jpg) }',
  'white text with a shadow on a photograph': `.content { background: url(/bright.jpg) } ${light} .content * { text-shadow: 0 0 4px #000, 0 0 2px #000 }`,
  'a mask that fades the last pixels':
    '.content { padding-bottom: 12px; mask-image: linear-gradient(#000 calc(100% - 10px), transparent) }',
  'a box to scroll in, whose lower edge fades':
    '.content ul { height: 90px; overflow: auto; mask-image: linear-gradient(#000 40%, transparent) }',
  'a dropped shadow and stronger colors':
    'main { filter: drop-shadow(0 2px 8px #0004) } body { filter: saturate(1.2) }',
  'a dark scheme by a filter': 'html { background: #fff; filter: invert(1) hue-rotate(180deg) }',
  'white text on a dark photograph that stays while one scrolls': `body { background: url(/dark.jpg) center/cover fixed } ${light} .headline, .byline, .next * { color: #fff !important }`,
  'white text on a dark photograph in a layer that stays': `body { background: none } body::before { content: ""; position: fixed; inset: 0; z-index: -1; background: url(/dark.jpg) center/cover } ${light}`,
  'white text in front of a dark photograph': `.content { background: url(/dark.jpg) center/cover; padding: 1rem } ${light}`
}

/**
 * A page whose own styles change. Those of the blog are in it, and not expected: their colors are
 * made for a light ground.
 */
function pageWith(css: string, name: string): Page {
  const page = goodPage(site.origin)
  page.path = `/blog/${name.replaceAll(' ', '-')}`
  page.head.canonical = page.head.canonical.replace('/blog/english', page.path)
  page.siteCss += css
  page.blog = { ...page.blog, css: '' }
  page.answers = ANSWERS
  return page
}

for (const [what, { css, told }] of Object.entries(DEFECTS)) {
  t.test(`${what}: readers are told of, and of nothing else`, async (t) => {
    const page = pageWith(css, what)
    const { findings: all, overallScore } = await checkFixturePage(browser, { url: site.show(page), page })
    const findings = all.filter(({ scope }) => scope === 'article')
    t.equal(findings.length, 1)
    t.ok(
      told.includes(findings[0]?.code as FindingCode),
      `${findings.map(({ code }) => code).join()} is one of ${told.join()}`
    )
    t.same([...(findings[0]?.viewports ?? [])].sort(), ['desktop', 'mobile'])
    t.ok(overallScore <= 70, `a score of ${overallScore}`)
  })
}

for (const [what, css] of Object.entries(HARMLESS)) {
  t.test(`${what}: nothing is found`, async (t) => {
    const page = pageWith(css, what)
    const { findings, overallScore } = await checkFixturePage(browser, { url: site.show(page), page })
    t.same(
      findings.map(({ code, evidence }) => ({ code, evidence })),
      []
    )
    t.equal(overallScore, 100)
  })
}
