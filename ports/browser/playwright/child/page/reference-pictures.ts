/// <reference lib="dom" />
import { clipWindowOf, intersect } from './clipping.ts'
import type { DrawnReference } from './reference-drawing.ts'

/** Where a picture can be compared, in viewport coordinates. Null if it cannot be drawn. */
export type PictureArea = { x: number; y: number; width: number; height: number } | null

/**
 * Draws the files of pictures into the reference, each at the place where the page shows it: cropped as
 * the site chooses, but without effects. `shown`: the drawn words; pictures that words lie on are left out.
 * The files have loaded already, so nothing is requested.
 */
export function drawPictures(
  selectors: string[],
  shown: { x: number; y: number; width: number; height: number }[]
): PictureArea[] {
  const MARGIN_PX = 4
  const { layer, canvases } = (globalThis as unknown as { drawnReference: DrawnReference }).drawnReference
  const zoom = (layer as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  return selectors.map((selector) => {
    const image = imageAt(selector)
    if (image === null) return null
    const area = contentAreaOf(image)
    if (area.width < 20 || area.height < 20 || area.y < 0 || area.y + area.height > innerHeight) return null
    const isCovered = shown.some(
      (word) =>
        word.x < area.x + area.width + MARGIN_PX &&
        word.x + word.width > area.x - MARGIN_PX &&
        word.y < area.y + area.height + MARGIN_PX &&
        word.y + word.height > area.y - MARGIN_PX
    )
    if (isCovered) return null
    const canvas = canvases.shift()
    if (canvas === undefined) return null
    canvas.width = Math.round(area.width)
    canvas.height = Math.round(area.height)
    const context = canvas.getContext('2d')
    if (context === null) return null
    context.imageSmoothingQuality = 'high'
    const { width, height } = canvas
    const { x, y, width: wide, height: high } = placeOfFile(image, { width, height })
    try {
      context.drawImage(image, x, y, wide, high)
    } catch {
      return null // The file is damaged.
    }
    canvas.style.cssText =
      `position: absolute; left: ${Math.round(area.x) / zoom}px; top: ${Math.round(area.y) / zoom}px; ` +
      `width: ${width / zoom}px; height: ${height / zoom}px`
    return intersectionOf({ x: Math.round(area.x), y: Math.round(area.y), width, height }, image.parentElement)
  })
}

/** The part of an area that the boxes around an element leave visible. They may crop a picture, unlike itself. */
export function intersectionOf({ x, y, width, height }: NonNullable<PictureArea>, parent: Element | null): PictureArea {
  if (parent === null) return null
  const { left, top, right, bottom } = intersect(
    { left: x, top: y, right: x + width, bottom: y + height },
    clipWindowOf(parent)
  )
  return right - left < 20 || bottom - top < 20 ? null : { x: left, y: top, width: right - left, height: bottom - top }
}

/** The loaded image that a selector finds in the document. */
export function imageAt(selector: string): HTMLImageElement | null {
  try {
    const image = document.querySelector(selector)
    return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 2 ? image : null
  } catch {
    return null // A selector through shadow roots.
  }
}

/** The box of an image without its border and padding. */
export function contentAreaOf(image: HTMLImageElement): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height } = image.getBoundingClientRect()
  const style = getComputedStyle(image)
  const [left, right, top, bottom] = (['Left', 'Right', 'Top', 'Bottom'] as const).map(
    (side) => (parseFloat(style[`padding${side}`]) || 0) + (parseFloat(style[`border${side}Width`]) || 0)
  )
  return { x: x + left!, y: y + top!, width: width - left! - right!, height: height - top! - bottom! }
}

/** Where `object-fit` and `object-position` place the whole file in a box. */
export function placeOfFile(
  image: HTMLImageElement,
  box: { width: number; height: number }
): { x: number; y: number; width: number; height: number } {
  const { objectFit, objectPosition } = getComputedStyle(image)
  const [horizontal, vertical] = [box.width / image.naturalWidth, box.height / image.naturalHeight]
  // Of a transformed image, the box has another scale than its pixels.
  const unscaled = image.clientWidth === 0 ? 1 : box.width / image.clientWidth
  const contained = Math.min(horizontal, vertical)
  const scale = {
    cover: Math.max(horizontal, vertical),
    contain: contained,
    none: unscaled,
    'scale-down': Math.min(contained, unscaled)
  }[objectFit]
  if (scale === undefined) return { x: 0, y: 0, width: box.width, height: box.height }
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale]
  const offset = (value: string | undefined, free: number): number => {
    const length = parseFloat(value ?? '50%')
    return value?.endsWith('px') ? length * unscaled : (free * (Number.isNaN(length) ? 50 : length)) / 100
  }
  const [x, y] = objectPosition.split(' ')
  return { x: offset(x, box.width - width), y: offset(y, box.height - height), width, height }
}
