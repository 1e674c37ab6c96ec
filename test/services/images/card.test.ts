import t from 'tap'
import sharp from 'sharp'
import { drawCard } from '../../../services/images/social/card.ts'
import { PALETTES } from '../../../services/images/social/patterns.ts'
import { isSocialFilename, socialFilename } from '../../../services/images/social/filename.ts'
import { renderableText } from '../../../services/images/social/renderable-text.ts'
import { imageFilename } from '../../../services/images/names.ts'

const titles = [
  'How to choose a bicycle',
  '',
  ' ',
  '\0\ud800',
  '<b>&amp;</b> "quotes"',
  'x'.repeat(5000),
  '如何选择自行车',
  'دليل',
  '🚲',
  'a\n\n\tb',
  '\u2800',
  '\u200b\u202e',
  '\u3164',
  '</span><span foreground="red">'
]

t.test('every title gives a reproducible card of 1200 × 630', async (t) => {
  for (const title of titles) {
    const card = await drawCard({ title, brand: title })
    t.match(
      await sharp(card).metadata(),
      { format: 'jpeg', width: 1200, height: 630 },
      JSON.stringify(title.slice(0, 40))
    )
    t.same(await drawCard({ title, brand: title }), card)
  }
})

t.test('cards of different titles differ', async (t) => {
  const cards = await Promise.all(
    Array.from({ length: 12 }, (_, i) => drawCard({ title: `Chapter ${i}`, brand: null }))
  )
  t.equal(new Set(cards.map((card) => card.toString('base64'))).size, 12)
})

t.test('text on a card has enough contrast', async (t) => {
  for (const { background, text, mutedText } of PALETTES) {
    t.ok(contrast(background, text) >= 7, `${text} on ${background}`)
    t.ok(contrast(background, mutedText) >= 4.5, `${mutedText} on ${background}`)
  }
})

t.test('letters without an installed font are never drawn as boxes', async (t) => {
  // U+10FFFD is for private use: no common font has it. U+1D1AA is a musical sign,
  // U+20000 a rare Chinese character.
  t.equal(await renderableText('Hello \u{10fffd}', sharp), null)
  t.equal(await renderableText('\u{10fffd}\u{10fffe}', sharp), null)
  for (const blank of ['', ' \n', '\0', '\u200b\u202e', '\u2800', '\ud800']) {
    t.equal(await renderableText(blank, sharp), null, JSON.stringify(blank))
  }
})

const latin = await renderableText('lI|.-—T E H П Ш D O 0 8 [] _ = " \' , i', sharp)
t.test(
  'letters that look like boxes are recognized as letters',
  { skip: latin === null && (await renderableText('a', sharp)) === null && 'this machine has no fonts' },
  async (t) => {
    t.equal(latin, 'lI|.-—T E H П Ш D O 0 8 [] _ = " \' , i')
    t.equal(await renderableText('a \u{1faff}\u{1fafe} b', sharp), 'a b', 'pictographs without a font are omitted')
    for (const code of Array.from({ length: 0x7e - 0x21 }, (_, i) => i + 0x21)) {
      t.equal(await renderableText(String.fromCodePoint(code), sharp), String.fromCodePoint(code))
    }
  }
)

t.test('the name of a social image changes only with its content', async (t) => {
  const image = {
    accountId: 'a',
    blogId: 'b',
    filename: 'f.jpg',
    originalName: 'f',
    alt: '',
    width: 1600,
    height: 900,
    bytes: 1,
    type: 'image/jpeg',
    hash: 'aa',
    createdAt: '2025-01-01T00:00:00.000Z'
  }
  const card = { blogId: 'b', title: 'One', brand: 'B' }
  const names = [
    card,
    { ...card, title: 'Two' },
    { ...card, brand: null },
    { ...card, image },
    { ...card, image: { ...image, hash: 'bb' } }
  ].map(socialFilename)
  t.equal(new Set(names).size, 5)
  for (const name of names) t.ok(isSocialFilename(name))
  t.equal(socialFilename({ ...card, title: 'Two', image }), names[3], 'with an image the title is not shown')
  t.equal(
    socialFilename({ ...card, image: { ...image, width: 100, height: 100 } }),
    names[0],
    'an image that is too small is not used'
  )
  t.notOk(
    isSocialFilename(imageFilename('og-0123456789abcdef.jpg', { hash: 'ab'.repeat(32), type: 'image/jpeg' })),
    'uploads never get such a name'
  )
})

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
