import t from 'tap'
import { inspectViewport } from '../../../ports/browser/playwright/child/inspect-viewport.ts'
import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import type { ViewportName } from '../../../schemas/visual-check.ts'
import { openBrowser } from '../../browser.ts'
import { DAMAGED, MARKED, RESTYLED, TEXT, UNMARKED, type Paragraph } from '../../fixtures/visual-check/appearances.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { boxFont, mirroredFont, rightFont, shiftedFont, symbolFont } from '../../fixtures/visual-check/fonts.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]

/** Inspects a page with one paragraph for each style. Returns the blocks by the names of the styles. */
async function inspect(
  paragraphs: Readonly<Record<string, Paragraph>>,
  { viewport, css = '', maxReferences = 0 }: { viewport: ViewportName; css?: string; maxReferences?: number }
) {
  const page = goodPage(site.origin)
  const names = Object.keys(paragraphs)
  const numbered = (html: string, index: number) => html.replace(/<p>/, `<p class="c${index}">No ${index}. `)
  const htmlOf = (own: (one: Paragraph) => string) =>
    names.map((name, index) => numbered(own(paragraphs[name]!), index))
  page.path = `/blog/appearances-${viewport}-${names.length}`
  page.blog.html = htmlOf(() => `<p>${TEXT}</p>`).join('')
  page.content = htmlOf(({ html }) => html ?? `<p>${TEXT}</p>`).join('')
  page.siteCss +=
    css + names.map((name, index) => paragraphs[name]!.css?.replaceAll('&', `.c${index}`) ?? '').join('\n')
  const { title, language } = page.blog
  const result = await inspectViewport(browser, {
    viewport,
    url: site.show(page),
    blog: { title, html: page.blog.html, css: '', language },
    isFirst: false,
    maxReferences,
    signal: AbortSignal.timeout(60_000)
  })
  if ('failure' in result) throw new Error(result.failure)
  return { blocks: new Map(result.snapshot.blocks.map((block, index) => [names[index]!, block])), ...result }
}

const describe = ({ appearance, visibility }: BlockSnapshot): string => JSON.stringify(appearance ?? visibility)

t.test('every kind of damage to a paragraph is a difference', async (t) => {
  const { blocks, references } = await inspect(DAMAGED, { viewport: 'desktop', maxReferences: 2 })
  for (const [name, block] of blocks) {
    t.ok((block.appearance?.differentShare ?? 0) > 0, `text ${name}: ${describe(block)}`)
  }
  t.equal(blocks.get('struck through')?.styles?.struckThrough, true)
  t.equal(blocks.get('in capitals')?.styles?.capitals, true)
  t.equal(blocks.get('capitals in its HTML')?.styles?.capitals, true)
  t.ok(blocks.get('blurred')!.styles!.blurEm > 0.05)
  t.match(blocks.get('skewed')?.styles?.effects, [/^transform: matrix/])
  t.equal(references.length, 2)
  for (const { png, width, height } of references) {
    t.ok(png.subarray(1, 4).toString() === 'PNG' && width > 300 && height > 40, `${width} × ${height}`)
  }
})

t.test('pictures are compared with their files', async (t) => {
  for (const [filter, correlation] of Object.entries({ none: 1, 'invert(1)': -1 })) {
    const page = goodPage(site.origin)
    page.path = `/blog/pictures-${correlation}`
    page.siteCss += `.content img { filter: ${filter} }`
    const { findings, snapshots } = await checkFixturePage(browser, { url: site.show(page), page })
    for (const { images, viewport } of snapshots) {
      const compared = images.flatMap(({ appearance }) => (appearance === undefined ? [] : [appearance.correlation]))
      t.ok(compared.length > 0, viewport)
      t.ok(
        compared.every((value) => Math.abs(value - correlation) < 0.1),
        compared.join()
      )
    }
    t.equal(
      findings.some(({ code }) => code === 'LOOKS_DIFFERENT'),
      correlation < 0
    )
  }
})

t.test('damage outside of the words is recognized by its style', async (t) => {
  const { blocks } = await inspect({ ...MARKED, ...UNMARKED }, { viewport: 'desktop' })
  for (const name of Object.keys(MARKED)) t.equal(blocks.get(name)?.styles?.marked, true, name)
  for (const name of Object.keys(UNMARKED)) t.equal(blocks.get(name)?.styles?.marked, undefined, name)
})

t.test('a font with other signs is recognized, whichever way they are wrong', async (t) => {
  const page = goodPage(site.origin)
  const fonts = { symbols: symbolFont(), boxes: boxFont(), others: shiftedFont(), mirrored: mirroredFont() }
  const all = { ...fonts, right: rightFont() }
  page.path = '/blog/fonts'
  page.blog.html = Object.keys(all)
    .map((name) => `<p id="${name}">The font ${name}. ${TEXT}</p>`)
    .join('')
  page.content = page.blog.html
  for (const [name, body] of Object.entries(all)) {
    page.answers[`/fonts/${name}.ttf`] = { type: 'font/ttf', body }
    page.siteCss += `@font-face { font-family: "${name}"; src: url(/fonts/${name}.ttf) } `
    page.siteCss += `#${name} { font-family: "${name}" }`
  }
  const { findings, snapshots } = await checkFixturePage(browser, { url: site.show(page), page })
  for (const { blocks, viewport } of snapshots) {
    t.same(
      blocks.map(({ styles }) => styles?.wrongGlyphs === true),
      [true, true, true, true, false],
      viewport
    )
  }
  t.match(findings.map(({ code }) => code).join(), /TEXT_WRONG_GLYPHS/)
})

for (const [viewport, css] of [
  ['desktop', ''],
  ['mobile', 'html { zoom: 1.05 } body { background: #12151c; color: #eee }']
] as const) {
  t.test(`what sites rightly do with a paragraph is no difference (${viewport})`, async (t) => {
    const { blocks } = await inspect(RESTYLED, { viewport, css })
    for (const [name, block] of blocks) {
      t.ok((block.appearance?.comparedShare ?? 0) > 0.9, `text with ${name} is compared: ${describe(block)}`)
      t.equal(block.appearance?.differentShare, 0, `text with ${name}: ${describe(block)}`)
    }
  })
}

for (const [name, css] of Object.entries({
  english: '.content { container-type: inline-size; width: 90.3%; margin-left: 3.3%; letter-spacing: -.1px }',
  // Sites that invert their colors invert pictures back.
  arabic: 'main, main img { filter: invert(1) } main { background: #fff } .content p { text-align: justify }',
  japanese: '.content p { text-align: justify; text-justify: inter-character } .content { line-height: 2 }'
})) {
  t.test(`a whole blog (${name}) is compared, and looks the same`, async (t) => {
    const page = goodPage(site.origin, name as 'english')
    page.siteCss += css
    const { findings, coverage } = await checkFixturePage(browser, { url: site.show(page), page })
    t.notMatch(findings.map(({ code }) => code).join(), /LOOKS_DIFFERENT|TEXT_ALL_CAPS|TEXT_BLURRED|TEXT_STRUCK/)
    t.ok(coverage.compared! > 0.85, `${coverage.compared}`)
  })
}

for (const [name, position] of Object.entries({
  'at random': 'Math.random() * 90',
  // Nearly always where it was measured, whenever somebody looks.
  'for a moment': '++turn % 4 === 0 ? 30 : 0'
})) {
  t.test(`a page that moves ${name} while it is compared has no difference`, async (t) => {
    const page = goodPage(site.origin)
    page.path = '/blog/moving'
    page.end +=
      '<script>let turn = 0; setInterval(() => { document.querySelector("main").style.paddingTop = ' +
      `(${position}) + "px" }, 20)</script>`
    for (let time = 0; time < 4; time++) {
      const { findings, coverage } = await checkFixturePage(browser, { url: site.show(page), page })
      t.notMatch(findings.map(({ code }) => code).join(), /LOOKS_DIFFERENT|TEXT_TRANSPARENT/)
      t.ok(coverage.compared! > 0.85, `${coverage.compared}`)
    }
  })
}

t.test('a page that is longer than a capture is compared in part', async (t) => {
  const page = goodPage(site.origin)
  page.path = '/blog/long'
  page.blog.html = Array.from({ length: 150 }, (_, index) => `<p>${index} ${TEXT.repeat(3)}</p>`).join('')
  page.content = page.blog.html
  const { coverage, findings } = await checkFixturePage(browser, { url: site.show(page), page })
  t.ok(coverage.compared! < 0.95, `${coverage.compared}`)
  t.notMatch(findings.map(({ code }) => code).join(), /LOOKS_DIFFERENT/)
})
