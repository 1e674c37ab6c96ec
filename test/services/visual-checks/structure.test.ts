import t from 'tap'
import type { ImageAppearance } from '../../../ports/browser/port/media-snapshot.ts'
import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import { expected, setFlow, setVisibility, snapshotsWith } from '../../fixtures/visual-check/snapshots.ts'

/* What differs from the blog although every text and every picture is in the page. */

const check = (change: (snapshot: ViewportSnapshot) => void) =>
  evaluate({ snapshots: snapshotsWith(change), expected: expected(), missingFonts: [] })
const codesOf = (change: (snapshot: ViewportSnapshot) => void): string[] =>
  check(change).findings.map(({ code }) => code)

t.test('words that run together are a change, even if most spaces remain', async (t) => {
  const join = (count: number) => (snapshot: ViewportSnapshot) => {
    const block = snapshot.blocks.find(({ tag, text }) => tag === 'p' && text.split(' ').length > 10)!
    const words = block.text.split(' ')
    block.actual = [words.slice(0, count + 1).join(''), ...words.slice(count + 1)].join(' ')
  }
  t.same(codesOf(join(2)), ['CONTENT_CHANGED'])
  t.match(check(join(2)).findings[0]!.message, /run together/)
  t.same(codesOf(join(1)), [], 'a single one')
})

t.test('line breaks within the text are a change', async (t) => {
  const breakLines = (addedBreaks: number) => (snapshot: ViewportSnapshot) => {
    snapshot.blocks.find(({ tag }) => tag === 'p')!.addedBreaks = addedBreaks
  }
  t.same(codesOf(breakLines(5)), ['CONTENT_CHANGED'])
  t.match(check(breakLines(5)).findings[0]!.message, /Lines break/)
  t.same(codesOf(breakLines(1)), [])
})

t.test('short items that stand beside their copies are duplicated', async (t) => {
  const repeat = (items: number) => (snapshot: ViewportSnapshot) => {
    for (const block of snapshot.blocks.slice(-items)) {
      Object.assign(block, {
        tag: 'li',
        text: 'A sieve',
        actual: 'A sieve',
        copies: 2,
        secondCopy: { ...block.place! }
      })
      block.place!.selector = 'article > ul > li:nth-child(1)'
      block.secondCopy!.selector = 'article > ul > li:nth-child(2)'
    }
  }
  t.match(check(repeat(2)).findings, [{ code: 'CONTENT_DUPLICATED', severity: 'medium' }])
  t.same(codesOf(repeat(1)), [])
})

t.test('much empty space between all blocks is a large gap', async (t) => {
  const spread = (spacePx: number) => (snapshot: ViewportSnapshot) => {
    snapshot.images.length = 0
    snapshot.expectedImages.length = 0
    snapshot.unexpectedTexts.length = 0
    for (const { place, index } of snapshot.blocks) place!.box!.y = 200 + index * (80 + spacePx)
  }
  t.same(codesOf(spread(400)), ['LARGE_GAP'])
  t.same(codesOf(spread(100)), [])
})

t.test('lines that something large moves apart look different', async (t) => {
  const stretch = (height: number) => (snapshot: ViewportSnapshot) => {
    snapshot.blocks.find(({ tag }) => tag === 'p')!.place!.box!.height = height
  }
  t.same(codesOf(stretch(500)), ['LOOKS_DIFFERENT'])
  t.same(codesOf(stretch(110)), [])
})

t.test('a picture that is far from its paragraph is out of order', async (t) => {
  const move = (blocksBefore: number) => (snapshot: ViewportSnapshot) => {
    Object.assign(snapshot.images[1]!, { blocksBefore })
    Object.assign(snapshot.expectedImages[1]!, { blocksBefore: 1 })
  }
  t.same(codesOf(move(100)), ['CONTENT_REORDERED'])
  t.same(codesOf(move(2)), [], 'by one block')
  t.same(codesOf(move(0)), [], 'above the article, as a lead')
})

t.test('a picture with the file of another one is foreign', async (t) => {
  const replace = (src: string) => (snapshot: ViewportSnapshot) => {
    Object.assign(snapshot.images[1]!, { src, matchedByUrl: false })
  }
  t.same(codesOf(replace('https://garden.example/fig-0.jpg')), ['IMAGE_FOREIGN'])
  t.same(codesOf(replace('https://cdn.example/a1b2.jpg')), [])
})

t.test('the pixels of a picture are those of its file', async (t) => {
  const show = (appearance: ImageAppearance) => (snapshot: ViewportSnapshot) => {
    snapshot.images[1]!.appearance = appearance
  }
  const same = { correlation: 1, contrast: 1, sharpness: 1 }
  t.same(codesOf(show({ ...same, correlation: -1 })), ['LOOKS_DIFFERENT'])
  t.match(check(show({ ...same, correlation: -1 })).findings[0]!.message, /image/)
  t.same(codesOf(show({ ...same, contrast: 0.1 })), ['IMAGE_INVISIBLE'])
  t.same(codesOf(show({ ...same, sharpness: 0.2 })), ['IMAGE_LOW_RESOLUTION'])
  t.match(check(show({ ...same, sharpness: 0.2 })).findings[0]!.message, /blurred/)
  t.same(codesOf(show({ correlation: 0.9, contrast: 0.7, sharpness: 0.8 })), [], 'a filter of the site')
})

t.test('a picture that is blurred by a style is blurred, not invisible or unlike its file', async (t) => {
  const { findings } = check((snapshot) => {
    Object.assign(snapshot.images[1]!, { blurPx: 14, appearance: { correlation: 0.3, contrast: 0.1, sharpness: 0.1 } })
  })
  t.match(findings, [{ code: 'IMAGE_LOW_RESOLUTION', severity: 'high', message: /blurred/ }])
  t.equal(findings.length, 1)
})

t.test('a tiny picture does not look different as well', async (t) => {
  const shrink = (snapshot: ViewportSnapshot) => {
    const appearance = { correlation: 0.75, contrast: 0.9, sharpness: 1, differentShare: 0.3 }
    Object.assign(snapshot.images[1]!, { box: { x: 20, y: 700, width: 36, height: 24 }, appearance })
  }
  t.same(codesOf(shrink), ['IMAGE_TOO_SMALL'])
})

t.test('a picture below the part of a page that is scrolled may wait to be loaded', async (t) => {
  const wait = (y: number) => (snapshot: ViewportSnapshot) => {
    const [image] = snapshot.images.slice(1)
    Object.assign(image!, { complete: false, naturalWidth: 0, naturalHeight: 0, similarity: null })
    image!.box!.y = y
  }
  t.same(codesOf(wait(29_000)), ['IMAGE_NOT_LOADED'])
  t.same(codesOf(wait(31_000)), [])
})

t.test('overlapping lines are reported beside a text that is covered, if they are more', async (t) => {
  const overlap = (lines: number) => (snapshot: ViewportSnapshot) => {
    setVisibility(snapshot, { coveredShare: 0.6 }, [1])
    snapshot.overlaps = snapshot.blocks
      .slice(2, 2 + lines)
      .map(({ index, place }) => ({ block: index, other: index + 1, share: 0.5, place: place! }))
  }
  t.same(codesOf(overlap(8)), ['TEXT_COVERED', 'TEXT_OVERLAP'])
})

t.test('a crop shows most of a picture', async (t) => {
  const crop = (shownShare: number) => (snapshot: ViewportSnapshot) => {
    Object.assign(snapshot.images[1]!, { shownShare, objectFit: 'cover' })
  }
  t.same(codesOf(crop(0.1)), ['IMAGE_DISTORTED'])
  t.same(codesOf(crop(0.6)), [])
})

t.test('spaces at which lines cannot break are a change', async (t) => {
  const hold = (heldSpaces: number | undefined) => (snapshot: ViewportSnapshot) => {
    if (heldSpaces !== undefined) snapshot.blocks.find(({ tag }) => tag === 'p')!.heldSpaces = heldSpaces
  }
  t.same(codesOf(hold(1)), ['CONTENT_CHANGED'])
  t.match(check(hold(1)).findings[0]!.message, /no-break spaces/)
  t.same(codesOf(hold(undefined)), [])
})

t.test('blocks of a kind that start at different edges are misaligned', async (t) => {
  const shift =
    (startOf: (index: number) => number, isBeside = false) =>
    (snapshot: ViewportSnapshot) => {
      setFlow(snapshot, ({ index }) => ({ startPx: startOf(index), isBeside }))
    }
  t.match(check(shift((index) => 20 + index * 90)).findings, [{ code: 'BLOCKS_MISALIGNED', severity: 'medium' }])
  t.same(codesOf(shift((index) => 20 + (index % 2) * 20)), [], 'by the padding of a card')
  t.same(codesOf(shift((index) => 20 + index * 90, true)), [], 'beside each other, as in columns')
})

t.test('blocks beside the one before are misaligned', async (t) => {
  const place = (beside: readonly number[]) => (snapshot: ViewportSnapshot) => {
    setFlow(snapshot, ({ index }) => ({ isBesidePrevious: beside.includes(index), isBeside: beside.includes(index) }))
  }
  t.match(check(place([3, 5])).findings, [{ code: 'BLOCKS_MISALIGNED', message: /beside each other/ }])
  t.same(codesOf(place([3])), [], 'a single one')
})

t.test('text below a link that readers do not see looks different', async (t) => {
  const cover = (underLinkShare: number) => (snapshot: ViewportSnapshot) => {
    setVisibility(snapshot, { underLinkShare })
  }
  t.match(check(cover(1)).findings, [{ code: 'LOOKS_DIFFERENT', message: /a click on the text/ }])
  t.same(codesOf(cover(0.2)), [])
})

t.test('cells in another order are reordered, however short they are', async (t) => {
  const sort = (orders: readonly number[]) => (snapshot: ViewportSnapshot) => {
    for (const [at, block] of snapshot.blocks.slice(-4).entries()) {
      const text = `${at} mm`
      Object.assign(block, { tag: 'td', actualTag: 'td', text, actual: text, order: 20 + orders[at]! })
    }
  }
  t.same(codesOf(sort([2, 3, 0, 1])), ['CONTENT_REORDERED'])
  t.same(codesOf(sort([0, 1, 2, 3])), [])
})

t.test('subheadings that are larger than the headings above them have lost their style', async (t) => {
  const resize = (fontPx: number) => (snapshot: ViewportSnapshot) => {
    const last = snapshot.blocks.findLast(({ tag }) => tag === 'h2')!
    Object.assign(last, { tag: 'h3', actualTag: 'h3' })
    last.typography!.fontPx = fontPx
  }
  t.match(check(resize(40)).findings, [{ code: 'HEADING_STYLE_LOST', message: /larger/ }])
  t.same(codesOf(resize(26)), [])
})

t.test('a hidden header of a table is not missing if its words are beside each cell', async (t) => {
  const hide = (shownAsLabel: boolean) => (snapshot: ViewportSnapshot) => {
    const header = snapshot.blocks.find(({ tag }) => tag === 'p')!
    Object.assign(header, { tag: 'th', actualTag: 'th', ...(shownAsLabel ? { shownAsLabel } : {}) })
    header.visibility!.clippedShare = 1
  }
  t.same(codesOf(hide(false)), ['TEXT_CLIPPED'])
  t.same(codesOf(hide(true)), [])
})
