import sharp from 'sharp'
import t from 'tap'
import type { Screenshot } from '../../../ports/browser/port.ts'
import type { Severity, ViewportName, VisualFinding } from '../../../schemas/visual-check.ts'
import { renderScreenshots, type RenderedScreenshot } from '../../../services/visual-checks/screenshots/index.ts'
import { SEVERITY_COLORS } from '../../../services/visual-checks/screenshots/overlay.ts'

const GROUND = { r: 250, g: 247, b: 240 }
type Place = [x: number, y: number, width: number, height: number]

async function picture(
  viewport: ViewportName,
  kind: Screenshot['kind'],
  [width, height, scale]: [number, number, number]
): Promise<Screenshot> {
  const png = await sharp({ create: { width: width * scale, height: height * scale, channels: 3, background: GROUND } })
    .png()
    .toBuffer()
  return { viewport, kind, png, width: width * scale, height: height * scale, scale }
}

function finding(severity: Severity, viewport: ViewportName, ...places: (Place | null)[]): VisualFinding {
  const locations = places.map((place) => ({
    viewport,
    selector: 'p',
    block: null,
    box: place === null ? null : { x: place[0], y: place[1], width: place[2], height: place[3] }
  }))
  return {
    code: 'TEXT_HIDDEN',
    category: 'layout',
    severity,
    confidence: 'certain',
    message: 'Hidden.',
    advice: 'Show it.',
    viewports: [viewport],
    extent: 1,
    scope: 'article',
    count: Math.max(1, places.length),
    locations,
    evidence: {}
  }
}

async function drawn(
  pictures: Screenshot[],
  findings: VisualFinding[],
  detail: 'none' | 'thumbs' | 'full' = 'full'
): Promise<RenderedScreenshot[]> {
  const all: RenderedScreenshot[] = []
  for await (const one of renderScreenshots({ screenshots: pictures, findings, detail })) all.push(one)
  return all
}

/** The color of each pixel of a stored screenshot. */
async function look({ bytes }: RenderedScreenshot) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
  }
}

const rgb = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
/** Whether two colors differ only by compression artifacts. */
const near = (a: number[], b: number[]) => a.every((value, channel) => Math.abs(value - b[channel]!) < 36)
const ground = [GROUND.r, GROUND.g, GROUND.b]
const only = (pictures: RenderedScreenshot[], kind: RenderedScreenshot['kind']) =>
  pictures.filter((one) => one.kind === kind)

t.test('by default, each viewport has a thumbnail 320 pixels wide and nothing else', async (t) => {
  const pictures = [
    await picture('mobile', 'viewport', [390, 844, 2]),
    await picture('mobile', 'page', [390, 2000, 2]),
    await picture('desktop', 'viewport', [1366, 900, 1])
  ]
  const thumbs = await drawn(pictures, [finding('high', 'mobile', [10, 10, 50, 50])], 'thumbs')
  t.match(
    thumbs.map(({ kind, viewport, finding, width }) => ({ kind, viewport, finding, width })),
    [
      { kind: 'thumb', viewport: 'mobile', finding: null, width: 320 },
      { kind: 'thumb', viewport: 'desktop', finding: null, width: 320 }
    ]
  )
  for (const { bytes, width, height, name } of thumbs) {
    const read = await sharp(bytes).metadata()
    t.match(read, { format: 'webp', width, height })
    t.match(name, /^[A-Za-z0-9_-]{22}\.webp$/)
  }
  t.equal(thumbs[0]!.height, Math.round((844 * 320) / 390))
  t.strictSame(await drawn(pictures, [], 'none'), [])
})

t.test('findings are outlined in the color of their severity', async (t) => {
  for (const [severity, color] of Object.entries(SEVERITY_COLORS) as [Severity, string][]) {
    const [page] = only(
      await drawn(
        [await picture('desktop', 'page', [720, 480, 1])],
        [finding(severity, 'desktop', [200, 300, 400, 150])]
      ),
      'page'
    )
    const { at } = await look(page!)
    for (const [x, y] of [
      [400, 298],
      [400, 451],
      [198, 400],
      [601, 400]
    ] as const) {
      t.ok(near(at(x, y), rgb(color)), `${severity} at ${x}, ${y}: ${at(x, y).join()}`)
    }
    for (const [x, y] of [
      [400, 375],
      [203, 303]
    ] as const) {
      t.ok(near(at(x, y), ground), 'the inside is visible up to the edge')
    }
    t.ok(near(at(700, 375), ground), 'the outside is unchanged')
  }
})

t.test('boxes are CSS pixels at any scale of the screenshot', async (t) => {
  const [page] = only(
    await drawn([await picture('mobile', 'page', [390, 1000, 2])], [finding('critical', 'mobile', [50, 100, 200, 80])]),
    'page'
  )
  const { at } = await look(page!)
  t.ok(near(at(300, 196), rgb(SEVERITY_COLORS.critical)), at(300, 196).join())
  t.ok(near(at(96, 280), rgb(SEVERITY_COLORS.critical)))
  t.ok(near(at(150, 101), ground), 'not where it would be at scale 1')
})

t.test('each outline has a numbered badge that no other badge covers', async (t) => {
  const same: Place = [100, 100, 300, 120]
  const findings = [
    finding('critical', 'desktop', same),
    finding('low', 'desktop', same),
    finding('high', 'desktop', same)
  ]
  const [page] = only(await drawn([await picture('desktop', 'page', [800, 600, 1])], findings), 'page')
  const { at } = await look(page!)
  for (const [place, severity] of (['critical', 'low', 'high'] as const).entries()) {
    // The strip of the badge to the left of its digit.
    const x = 100 + 22 * place + 3
    t.ok(near(at(x, 90), rgb(SEVERITY_COLORS[severity])), `badge ${place + 1}: ${at(x, 90).join()}`)
  }
  const strokes = (badge: number) =>
    Array.from({ length: 20 * 14 }, (_, i) => at(100 + 22 * badge + 3 + (i % 14), 83 + Math.floor(i / 20))).filter(
      (pixel) => pixel.every((value) => value > 200)
    ).length
  for (const badge of [0, 1, 2]) t.ok(strokes(badge) > 4, 'the digit is white')
})

t.test('a crop has a margin, is at least 160 × 90 and at most 800 wide', async (t) => {
  const pictures = [
    await picture('desktop', 'viewport', [1366, 900, 1]),
    await picture('desktop', 'page', [1366, 2700, 1])
  ]
  const findings = [
    finding('high', 'desktop', [300, 1500, 200, 100]),
    finding('low', 'desktop', [700, 700, 10, 10]),
    finding('medium', 'desktop', [0, 0, 1366, 600]),
    finding('info', 'desktop', [1350, 2690, 16, 10]),
    finding('info', 'desktop', [0, 0, 1366, 2700])
  ]
  const crops = only(await drawn(pictures, findings), 'crop')
  t.strictSame(
    crops.map(({ finding, width, height }) => [finding, width, height]),
    [
      [0, 248, 148],
      [1, 160, 90],
      [2, 800, Math.round((624 * 800) / 1366)],
      [3, 160, 90],
      [4, 800, Math.round((1176 * 800) / 1366)]
    ]
  )
  const { at } = await look(crops[0]!)
  t.ok(near(at(124, 22), rgb(SEVERITY_COLORS.high)), 'with its box')
  t.ok(near(at(124, 10), ground))
})

t.test('the first 40 findings with a visible place have a crop', async (t) => {
  const findings = [
    finding('critical', 'mobile'),
    finding('critical', 'mobile', null),
    finding('high', 'mobile', [0, 5000, 10, 10], [10, 10, 10, 10]),
    ...Array.from({ length: 60 }, (_, i) => finding('low', 'mobile', [10, 20 * i, 100, 18]))
  ]
  const crops = only(await drawn([await picture('mobile', 'page', [390, 2000, 1])], findings), 'crop')
  t.equal(crops.length, 40)
  t.strictSame(
    crops.slice(0, 2).map(({ finding }) => finding),
    [2, 3],
    'the index in `findings` and the first visible box'
  )
  t.equal(new Set(crops.map(({ name }) => name)).size, 40, 'names are unique')
})

t.test('invalid, infinite and outside boxes are ignored', async (t) => {
  const odd: Place[] = [
    [NaN, 0, 10, 10],
    [0, 0, Infinity, 10],
    [0, 0, -50, 10],
    [-500, -500, 100, 100],
    [5000, 10, 10, 10],
    [10, 99999, 10, 10],
    [-Number.MAX_VALUE, 0, 1, 1]
  ]
  const pages = await drawn(
    [await picture('mobile', 'page', [390, 800, 1])],
    odd.map((place) => finding('critical', 'mobile', place))
  )
  t.equal(only(pages, 'crop').length, 0)
  const { at } = await look(only(pages, 'page')[0]!)
  for (let y = 1; y < 800; y += 7) {
    for (let x = 1; x < 390; x += 7) if (!near(at(x, y), ground)) t.fail(`drawn at ${x}, ${y}`)
  }

  const huge = await drawn(
    [await picture('mobile', 'page', [390, 800, 1])],
    [
      finding('critical', 'mobile', [-1e9, -1e9, 2e9, 2e9]),
      finding('high', 'mobile', [-30, 400, 60, 40]),
      finding('low', 'mobile', [200, 600, 0, 0])
    ]
  )
  const seen = await look(only(huge, 'page')[0]!)
  t.ok(near(seen.at(388, 790), rgb(SEVERITY_COLORS.critical)), 'clipped to the screenshot')
  t.ok(near(seen.at(15, 441), rgb(SEVERITY_COLORS.high)))
  const dot = await look(only(huge, 'crop')[2]!)
  t.strictSame([dot.width, dot.height], [160, 90])
  t.ok(
    [-2, -1, 0, 1, 2].some((step) => near(dot.at(80 + step, 45 + step), rgb(SEVERITY_COLORS.low))),
    'a box without size is a dot of four pixels'
  )
})

t.test('a page without findings has no outlines, and the longest page with many is rendered', async (t) => {
  const clean = await drawn(
    [await picture('desktop', 'viewport', [1366, 900, 1]), await picture('desktop', 'page', [1366, 2000, 1])],
    []
  )
  t.strictSame(
    clean.map(({ kind, width, height }) => [kind, width, height]),
    [
      ['thumb', 320, 211],
      ['viewport', 1366, 900],
      ['page', 1366, 2000]
    ]
  )

  const findings = Array.from({ length: 45 }, (_, i) => finding('medium', 'desktop', [100, 170 * i, 800, 150]))
  const full = await drawn([await picture('desktop', 'page', [1366, 8000, 1])], findings)
  const { at } = await look(only(full, 'page')[0]!)
  t.ok(near(at(500, 170 * 44 - 2), rgb(SEVERITY_COLORS.medium)), 'down to the last one')
  t.equal(only(full, 'crop').length, 40)
})

t.test('invalid image bytes are rejected by the decoder', async (t) => {
  const torn = await picture('mobile', 'viewport', [390, 844, 1])
  await t.rejects(drawn([{ ...torn, png: torn.png.subarray(0, 200) }], []))
  await t.rejects(drawn([{ ...torn, png: Buffer.from('<svg/>') }], []))
})

t.test('text that looks different has a picture of how it should look', async (t) => {
  const different = (viewport: ViewportName, block: number): VisualFinding => {
    const one = finding('medium', viewport, [10, 200, 300, 60])
    return { ...one, code: 'LOOKS_DIFFERENT', locations: one.locations.map((location) => ({ ...location, block })) }
  }
  // The text has 300 × 60 pixels, and its drawing a margin of 4.
  const drawing = await sharp({ create: { width: 308, height: 68, channels: 3, background: '#333' } })
    .png()
    .toBuffer()
  const reference = async (viewport: ViewportName, block: number) => ({
    ...(await picture(viewport, 'reference', [308, 68, 1])),
    png: drawing,
    block
  })
  const pictures = [
    await picture('mobile', 'viewport', [390, 844, 1]),
    await reference('mobile', 3),
    // Of a block without a finding: another finding explains why it differs.
    await reference('mobile', 4),
    await reference('desktop', 3)
  ]
  const findings = [finding('high', 'mobile', [10, 10, 300, 60]), different('mobile', 3)]
  const full = await drawn(pictures, findings)
  t.equal(only(full, 'reference').length, 1)
  const [shown, crop] = [only(full, 'reference')[0]!, only(full, 'crop')[1]!]
  t.match(shown, { viewport: 'mobile', finding: 1, width: crop.width, height: crop.height })
  const { at } = await look(shown)
  const [paper, ink] = [rgb('#ffffff'), rgb('#333333')]
  t.ok(near(at(2, 50), paper) && near(at(200, 15), paper) && near(at(200, 95), paper), 'white around the text')
  t.ok(near(at(200, 24), ink) && near(at(200, 80), ink), 'the text at its place in the crop')
  t.strictSame(
    only(full, 'crop').map((one) => one.finding),
    [0, 1],
    'beside the crop'
  )
  t.strictSame(
    (await drawn(pictures, findings, 'thumbs')).map(({ kind }) => kind),
    ['thumb']
  )
})
