import type { CDPSession } from 'playwright'
import type { InkArea, InkMask } from './ink-comparison.ts'

/** An area of the viewport, in whole CSS pixels. */
export interface Clip {
  x: number
  y: number
  width: number
  height: number
}

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** Free space around the words in a capture. */
const MARGIN_PX = 4

/** The smallest clip that contains some rectangles and a margin. */
export function clipAround(rectangles: readonly Rectangle[], maxWidth: number): Clip {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0]
  for (const { x, y, width, height } of rectangles) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  const [x, y] = [Math.max(0, Math.floor(left) - MARGIN_PX), Math.max(0, Math.floor(top) - MARGIN_PX)]
  return {
    x,
    y,
    width: Math.min(maxWidth, Math.ceil(right) + MARGIN_PX) - x,
    height: Math.ceil(bottom) + MARGIN_PX - y
  }
}

/** A clip whose coordinates and sides are even. It may lack one pixel at the right and at the bottom. */
export function evenClip({ x, y, width, height }: Clip): Clip {
  const [left, top] = [x - (x % 2), y - (y % 2)]
  return {
    x: left,
    y: top,
    width: 2 * Math.floor((x + width - left) / 2),
    height: 2 * Math.floor((y + height - top) / 2)
  }
}

/** A rectangle of the page in pixels of a capture with a scale. */
export const scaled = <R extends Rectangle>(one: R, scale: number): R => ({
  ...one,
  ...{ x: one.x * scale, y: one.y * scale, width: one.width * scale, height: one.height * scale }
})

/** The values of the pixels of a captured clip, row by row. `channels`: 1 (green), or 3. */
export interface Capture {
  /** In pixels of the capture: of one at half the size, half the coordinates of the page. */
  clip: Clip
  channels: 1 | 3
  pixels: Uint8Array
  /** The picture with all channels, as a PNG. */
  png: Buffer
}

/** The scale of captures for a first look. The browser draws a quarter of the pixels. */
export const HALF = 0.5

/** A picture of a clip of the viewport, before its pixels are read. */
export interface Picture {
  /** In CSS pixels of the page. */
  area: Clip
  /** Of a pixel of the picture to one of the page. */
  scale: number
  png: Buffer
}

/** Captures a clip of the viewport. Throws if the picture has another size. */
export async function capture(cdp: CDPSession, clip: Clip, channels: 1 | 3 = 1): Promise<Capture> {
  return await readPicture(await takePicture(cdp, clip), channels)
}

/**
 * Takes a picture of a clip of the viewport. For a scale of `HALF`, the coordinates and sides of the clip must be even.
 */
export async function takePicture(cdp: CDPSession, area: Clip, scale = 1): Promise<Picture> {
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    clip: { ...area, scale }
  })
  return { area, scale, png: Buffer.from(data, 'base64') }
}

/** Reads the pixels of a picture, in a thread of its own. Throws if the picture has another size than its clip. */
export async function readPicture({ area, scale, png }: Picture, channels: 1 | 3 = 1): Promise<Capture> {
  const { default: sharp } = await import('sharp')
  const clip = scaled(area, scale)
  const image = sharp(png, { limitInputPixels: 2 * clip.width * clip.height }).removeAlpha()
  const { data: pixels, info } = await (channels === 1 ? image.extractChannel(1) : image)
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== clip.width || info.height !== clip.height || info.channels !== channels) {
    throw new Error('The capture has another size')
  }
  return { clip, channels, pixels, png }
}

/** The red, green and blue values of a capture, row by row. */
export async function readColors({ clip, png, channels, pixels }: Capture): Promise<Uint8Array> {
  if (channels === 3) return pixels
  const { default: sharp } = await import('sharp')
  return await sharp(png, { limitInputPixels: 2 * clip.width * clip.height })
    .removeAlpha()
    .raw()
    .toBuffer()
}

/** How much the pixels of two captures of the same clip differ, in the channel that differs most. */
export function differenceMask(one: Capture, other: Capture): InkMask {
  const { clip, channels } = one
  const { width, height } = clip
  const ink = new Uint8Array(width * height)
  for (let at = 0; at < ink.length; at++) {
    let most = 0
    for (let from = at * channels; from < (at + 1) * channels; from++) {
      const difference = Math.abs(one.pixels[from]! - other.pixels[from]!)
      if (difference > most) most = difference
    }
    ink[at] = most
  }
  return { width, height, ink }
}

/** The ink of a drawing in black on white. In the areas of `light`, white on black. */
export function drawingMask({ clip, pixels, channels }: Capture, light: readonly InkArea[]): InkMask {
  const { width, height } = clip
  const ink = new Uint8Array(width * height)
  for (let at = 0; at < ink.length; at++) ink[at] = 255 - pixels[at * channels]!
  for (const { left, top, right, bottom } of light) {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
        const at = y * width + x
        ink[at] = pixels[at * channels]!
      }
    }
  }
  return { width, height, ink }
}
