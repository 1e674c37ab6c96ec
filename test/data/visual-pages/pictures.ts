import sharp from 'sharp'
import { createChoices, type Choices } from '../seed.ts'
import type { PictureKind } from './types.ts'

interface Size {
  width: number
  height: number
}

/** Draws a picture as JPEG. The same name and kind give the same picture. */
export async function drawPicture(name: string, kind: PictureKind, { width, height }: Size): Promise<Buffer> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" width="${width}" height="${height}" ` +
    `preserveAspectRatio="none">${DRAW[kind](createChoices(`picture of ${name}`, 7))}</svg>`
  return await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
}

const color = ({ index }: Choices, lightness: number): string => `hsl(${index(360)} ${35 + index(40)}% ${lightness}%)`
const round = (value: number): string => value.toFixed(1)

const DRAW: Record<PictureKind, (choices: Choices) => string> = {
  landscape: (choices) => {
    const ridge = (base: number, rough: number): string =>
      Array.from({ length: 13 }, (_, step) => `${step * 10},${round(base + (choices.next() - 0.5) * rough)}`).join(' ')
    return (
      `<rect width="120" height="80" fill="${color(choices, 78)}"/>` +
      `<circle cx="${20 + choices.index(80)}" cy="18" r="7" fill="${color(choices, 88)}"/>` +
      `<polygon points="0,80 ${ridge(42, 18)} 120,80" fill="${color(choices, 48)}"/>` +
      `<polygon points="0,80 ${ridge(56, 12)} 120,80" fill="${color(choices, 34)}"/>` +
      `<polygon points="0,80 ${ridge(68, 8)} 120,80" fill="${color(choices, 22)}"/>`
    )
  },
  'still-life': (choices) => {
    const things = Array.from({ length: 7 }, () => {
      const [x, size] = [10 + choices.index(100), 5 + choices.index(12)]
      return choices.chance(0.5)
        ? `<circle cx="${x}" cy="${58 - size / 2}" r="${size}" fill="${color(choices, 45)}"/>`
        : `<rect x="${x}" y="${round(58 - size * 1.6)}" width="${size}" height="${round(size * 1.8)}" ` +
            `rx="2" fill="${color(choices, 55)}"/>`
    })
    return (
      `<rect width="120" height="80" fill="${color(choices, 86)}"/>` +
      `<rect y="54" width="120" height="26" fill="${color(choices, 40)}"/>${things.join('')}`
    )
  },
  diagram: (choices) => {
    const ink = color(choices, 30)
    const boxes = [0, 1, 2, 3].map(
      (step) =>
        `<rect x="${6 + step * 29}" y="${18 + choices.index(24)}" width="20" height="16" rx="2" ` +
        `fill="${color(choices, 80)}" stroke="${ink}"/>`
    )
    const curve = Array.from({ length: 12 }, (_, step) => `${6 + step * 10},${60 + choices.index(14)}`).join(' ')
    return (
      `<rect width="120" height="80" fill="#fdfdfb"/>${boxes.join('')}` +
      `<polyline points="${curve}" fill="none" stroke="${ink}" stroke-width="1.2"/>`
    )
  },
  portrait: (choices) =>
    `<rect width="120" height="80" fill="${color(choices, 72)}"/>` +
    `<ellipse cx="60" cy="78" rx="38" ry="22" fill="${color(choices, 32)}"/>` +
    `<ellipse cx="60" cy="38" rx="17" ry="19" fill="${color(choices, 66)}"/>` +
    `<rect x="${38 + choices.index(8)}" y="15" width="38" height="10" rx="4" fill="${color(choices, 26)}"/>`
}

/** Pictures of the sites themselves, by path. */
export async function drawSitePictures(): Promise<Map<string, Buffer>> {
  const wanted: [name: string, kind: PictureKind, size: Size][] = [
    ['avatar', 'portrait', { width: 160, height: 160 }],
    ['reader', 'portrait', { width: 96, height: 96 }],
    ['advert', 'still-life', { width: 600, height: 200 }],
    ['logo', 'diagram', { width: 200, height: 60 }],
    ['icon', 'diagram', { width: 48, height: 48 }],
    ['banner', 'landscape', { width: 1600, height: 400 }],
    ['foreign', 'portrait', { width: 1200, height: 800 }],
    ...['one', 'two', 'three'].map((name): [string, PictureKind, Size] => [
      `card-${name}`,
      'landscape',
      { width: 400, height: 260 }
    ])
  ]
  const entries = wanted.map(
    async ([name, kind, size]): Promise<[string, Buffer]> => [
      `/assets/${name}.jpg`,
      await drawPicture(name, kind, size)
    ]
  )
  return new Map(await Promise.all(entries))
}
