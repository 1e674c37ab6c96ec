import t from 'tap'
import type { InkMask } from '../../../ports/browser/playwright/child/ink-comparison.ts'
import { findUncertainBlocks } from '../../../ports/browser/playwright/child/reference-preview.ts'
import type { ComparedWord } from '../../../ports/browser/playwright/child/word-comparison.ts'

const [WIDTH, HEIGHT] = [90, 40]
const CLIP = { x: 300, y: 1_000, width: WIDTH, height: HEIGHT }

/** Strokes like those of letters, 0 to 1. */
const strokeAt = (x: number, y: number): number =>
  x < 14 || x >= 76 || y < 12 || y >= 28 ? 0 : x % 9 < 2 ? 1 : (x + y) % 13 === 0 ? 0.5 : 0

const drawing: InkMask = {
  width: WIDTH,
  height: HEIGHT,
  ink: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => 255 * strokeAt(at % WIDTH, Math.floor(at / WIDTH)))
}

const WORD: ComparedWord = {
  ...{ block: 7, x: 312, y: 1_008, width: 66, height: 24, characters: 6 },
  ...{ shifted: false, gradient: false, light: false, color: null, wider: 0, moved: false, invisible: false }
}

/** The doubtful blocks of a page with one word, by the value of each pixel. */
function doubtful(
  valueOf: (stroke: number, x: number, y: number) => number,
  word: Partial<ComparedWord> = {}
): number[] {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    return Math.round(valueOf(strokeAt(x, y), x, y))
  })
  const page = { clip: CLIP, channels: 1 as const, pixels, png: Buffer.alloc(0) }
  return [...findUncertainBlocks(new Map([[7, [{ ...WORD, ...word }]]]), { page, drawing })]
}

/** Black or white strokes on an even background. */
const on = (ground: number, stroke: number): number => ground * (1 - stroke) + (ground < 128 ? 255 : 0) * stroke

t.test('the same strokes on an even background are certain, on light and dark ones', async (t) => {
  for (const ground of [255, 240, 180, 60, 17]) {
    t.same(
      doubtful((stroke) => on(ground, stroke)),
      [],
      `${ground}`
    )
  }
  t.same(
    doubtful((stroke) => on(250, stroke * 0.7)),
    [],
    'of transparent text'
  )
})

t.test('other strokes, and strokes on an uneven background, are in doubt', async (t) => {
  t.same(
    doubtful((stroke, _x, y) => on(255, y > 19 ? 0 : stroke)),
    [7],
    'without their lower half'
  )
  t.same(
    doubtful((stroke, _x, y) => on(255, y === 20 || y === 21 ? 1 : stroke)),
    [7],
    'crossed by a line'
  )
  t.same(
    doubtful((stroke, x) => on(120 + x, stroke)),
    [7],
    'on a gradient'
  )
})

t.test('words that pixels cannot tell about are in doubt, and words that have moved are not', async (t) => {
  const same = (stroke: number): number => on(255, stroke)
  t.same(doubtful(same, { gradient: true }), [7])
  t.same(doubtful(same, { shifted: true }), [7])
  t.same(doubtful(same, { wider: 12 }), [7])
  t.same(
    doubtful(() => 255, { moved: true }),
    []
  )
})

t.test('words in the color of their background are in doubt', async (t) => {
  t.same(
    doubtful((stroke) => on(255, stroke), { invisible: true }),
    [7]
  )
})
