/// <reference lib="dom" />
import { clipWindowOf, intersect } from './clipping.ts'
import { isFineAt } from './fine-details.ts'
import type { DrawnReference } from './reference-drawing.ts'
import type { ReferenceState } from './reference-words.ts'
import { matrixOf } from './visibility.ts'

/**
 * Where a picture can be compared, in viewport coordinates. Null if it cannot be drawn. `fine`: captures at half the
 * size may leave out details.
 */
export type PictureArea = { x: number; y: number; width: number; height: number; fine?: boolean } | null

/**
 * Draws the files of pictures into the reference, each at the place where the page shows it: cropped as
 * the site chooses, but without effects. Pictures that the measured words lie on are left out.
 * The files have loaded already, so nothing is requested.
 */
export function drawPictures(selectors: string[]): PictureArea[] {
  const MARGIN_PX = 4
  const { fineAreas, shown } = (globalThis as unknown as { referenceState: ReferenceState }).referenceState
  const { layer, canvases } = (globalThis as unknown as { drawnReference: DrawnReference }).drawnReference
  const zoom = (layer as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  return selectors.map((selector) => {
    const image = imageAt(selector)
    if (image === null) return null
    const area = tiltedAreaOf(image)
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
      `width: ${width / zoom}px; height: ${height / zoom}px; rotate: ${area.degrees}deg`
    const drawn = { x: Math.round(area.x), y: Math.round(area.y), width, height }
    const place = withoutCaption(intersectionOf(drawn, image.parentElement), image)
    return place === null ? null : { ...place, fine: isFineAt(fineAreas, drawn) }
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

/** The part of a picture above or below the caption that a site shows on it. */
export function withoutCaption(area: PictureArea, image: HTMLImageElement): PictureArea {
  const MAX_SHARE = 0.4
  const caption = image.closest('figure')?.querySelector('figcaption')?.getBoundingClientRect()
  if (area === null || caption === undefined) return area
  const [top, bottom] = [Math.max(area.y, caption.top), Math.min(area.y + area.height, caption.bottom)]
  const isOnPicture = bottom - top > 0 && caption.left < area.x + area.width && caption.right > area.x
  if (!isOnPicture || bottom - top > MAX_SHARE * area.height) return area
  const isAtTop = top - area.y < area.y + area.height - bottom
  return isAtTop ? { ...area, y: bottom, height: area.y + area.height - bottom } : { ...area, height: top - area.y }
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

/** An area that is turned around its middle. */
export interface TiltedArea {
  x: number
  y: number
  width: number
  height: number
  /** Clockwise, up to a few degrees. */
  degrees: number
}

/**
 * The box of an image without its border and padding, in viewport coordinates. Sites turn pictures by a few degrees,
 * like photographs on a table: then it is the box before the turn. Other transforms distort a picture.
 */
export function tiltedAreaOf(image: HTMLImageElement): TiltedArea {
  const MAX_DEGREES = 6
  const box = image.getBoundingClientRect()
  const style = getComputedStyle(image)
  const { a, b, c, d } = matrixOf(image)
  const degrees = (Math.atan2(b, a) * 180) / Math.PI
  const isTurned = Math.abs(degrees) > 0.05 && Math.abs(degrees) < MAX_DEGREES && Math.abs(a * c + b * d) < 0.01
  const zoom = (image as { currentCSSZoom?: number }).currentCSSZoom ?? 1
  const [scaleX, scaleY] = isTurned ? [Math.hypot(a, b) * zoom, Math.hypot(c, d) * zoom] : [1, 1]
  const [outerWidth, outerHeight] = isTurned
    ? [image.offsetWidth * scaleX, image.offsetHeight * scaleY]
    : [box.width, box.height]
  const [left, right, top, bottom] = (['Left', 'Right', 'Top', 'Bottom'] as const).map(
    (side) =>
      ((parseFloat(style[`padding${side}`]) || 0) + (parseFloat(style[`border${side}Width`]) || 0)) *
      (/[LR]/.test(side) ? scaleX : scaleY)
  )
  const [width, height] = [outerWidth - left! - right!, outerHeight - top! - bottom!]
  // The middle of the picture, which an uneven frame moves away from that of the box.
  const [across, down] = [(left! - right!) / 2, (top! - bottom!) / 2]
  const turn = isTurned ? (degrees * Math.PI) / 180 : 0
  const x = box.left + box.width / 2 + across * Math.cos(turn) - down * Math.sin(turn)
  const y = box.top + box.height / 2 + across * Math.sin(turn) + down * Math.cos(turn)
  return { x: x - width / 2, y: y - height / 2, width, height, degrees: isTurned ? degrees : 0 }
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
