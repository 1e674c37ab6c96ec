import sharp from 'sharp'
import t from 'tap'
import { takeFirstLook } from '../../../ports/browser/playwright/child/first-look.ts'
import type { ShownWord } from '../../../ports/browser/playwright/child/page/reference-words.ts'
import type { Capture } from '../../../ports/browser/playwright/child/reference-captures.ts'
import type { ImageSnapshot } from '../../../ports/browser/port/media-snapshot.ts'

/** In pixels of a capture: half the size of the page. */
const [WIDTH, HEIGHT] = [600, 60]
const [WORD_WIDTH, WORDS] = [20, 25]
const CLIP = { x: 100, y: 500, width: WIDTH, height: HEIGHT }

/** Strokes like those of small letters: 0 to 1. `word`: its index. */
const strokeAt = (x: number, y: number): { word: number; stroke: number } => {
  const [word, column] = [Math.floor(x / WORD_WIDTH), x % WORD_WIDTH]
  const isInside = word < WORDS && column >= 3 && column < 17 && y >= 12 && y < 21
  return { word, stroke: !isInside ? 0 : column % 4 === 0 ? 0.9 : (column + y + word) % 5 === 0 ? 0.5 : 0.05 }
}

type Paint = (stroke: number, word: number, x: number, y: number) => number

function captureOf(paint: Paint): Capture {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    const { word, stroke } = strokeAt(x, y)
    return Math.round(255 * (1 - Math.max(0, Math.min(1, paint(stroke, word, x, y)))))
  })
  return { clip: CLIP, channels: 1, pixels, png: Buffer.alloc(0) }
}

/** A capture with its picture in all channels. */
async function withPng(capture: Capture): Promise<Capture> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 1 } as const
  return { ...capture, png: await sharp(capture.pixels, { raw }).toColorspace('srgb').png().toBuffer() }
}

const same: Paint = (stroke) => stroke

const wordAt = (index: number): ShownWord => ({
  ...{ block: 7, x: 2 * (CLIP.x + index * WORD_WIDTH), y: 2 * (CLIP.y + 10), width: 2 * WORD_WIDTH, height: 26 },
  ...{ characters: 5, shifted: false, gradient: false, light: false, color: null }
})

/** The blocks of a page with one block that a first look leaves open. */
async function open(paint: Paint, change: (index: number) => Partial<ShownWord> = () => ({})): Promise<number[]> {
  const words = Array.from({ length: WORDS }, (_, index) => ({ ...wordAt(index), ...change(index) }))
  const { blocks, uncertain } = await takeFirstLook({
    page: captureOf(paint),
    drawing: captureOf(same),
    words,
    drawn: words.map(() => ({ wider: 0, moved: false })),
    pictures: []
  })
  t.equal(blocks.get(7)?.length, WORDS)
  return [...uncertain]
}

/** The strokes of a word, moved by some pixels. */
const moved =
  (dx: number, dy: number, words: (index: number) => boolean = () => true): Paint =>
  (stroke, word, x, y) =>
    words(word) ? strokeAt(x - dx, y - dy).stroke : stroke

t.test('a block that looks the same at half the size is done', async (t) => {
  t.same(await open(same), [])
  t.same(await open((stroke) => 0.6 * stroke), [], 'of transparent text')
  t.same(await open(moved(0, 1)), [], 'on other whole pixels: positions are rounded at this size')
})

t.test('a difference of all words, or a clear one of a single word, is looked at', async (t) => {
  const faint: Paint = (stroke, _word, x, y) => 0.7 * stroke + 0.3 * strokeAt(x + 1, y).stroke
  t.same(await open(faint), [7], 'smeared')
  t.same(
    await open((stroke, _word, _x, y) => (y === 16 ? Math.max(stroke, 0.5) : stroke)),
    [7],
    'crossed by a thin line'
  )
  t.same(await open((stroke, _word, x) => stroke + x / WIDTH / 2), [7], 'on a gradient')
  t.same(await open((stroke, word) => (word === 9 ? 0 : stroke)), [7], 'without a word')
  t.same(await open(moved(3, 0, (index) => index === 9)), [7], 'with a word at another place')
})

t.test('a slight difference of one word is not looked at, because it cannot count', async (t) => {
  const slight =
    (words: (index: number) => boolean): Paint =>
    (stroke, word, x, y) =>
      words(word) ? 0.82 * stroke + 0.18 * strokeAt(x + 1, y).stroke : stroke
  t.same(await open(slight((index) => index === 9)), [])
  t.same(await open(slight((index) => index % 3 === 0)), [7], 'but one of several words is')
})

t.test('what pixels at this size cannot tell is looked at', async (t) => {
  for (const change of [{ fine: true }, { gradient: true }, { shifted: true }] as const) {
    t.same(await open(same, (index) => (index === 3 ? change : {})), [7], Object.keys(change)[0]!)
  }
})

t.test('pictures are done if they are clearly the same, large enough and without fine details', async (t) => {
  const lightness: Paint = (_stroke, _word, x, y) => (Math.floor(x / 9) % 2) * 0.5 + y / HEIGHT / 3
  const image = { selector: 'img' } as ImageSnapshot
  /** The number of pictures that are done. */
  const compare = async (
    paint: Paint,
    { file = lightness, ...area }: { width?: number; fine?: boolean; file?: Paint } = {}
  ): Promise<number> => {
    const place = { x: 2 * CLIP.x + 20, y: 2 * CLIP.y + 4, width: 400, height: 110, ...area }
    const pictures = [[image, place]] as const
    const [page, drawing] = [await withPng(captureOf(paint)), await withPng(captureOf(file))]
    return 1 - (await takeFirstLook({ page, drawing, words: [], drawn: [], pictures })).open.length
  }
  t.equal(await compare(lightness), 1)
  t.equal(await compare(() => 0.4, { file: () => 0.4 }), 1, 'without anything to compare')
  t.equal(await compare(lightness, { fine: true }), 0)
  t.equal(await compare(lightness, { width: 150 }), 0)
  t.equal(await compare((...at) => 1 - lightness(...at)), 0, 'inverted')
  t.equal(await compare((...at) => 0.4 * lightness(...at)), 0, 'faint')
})
