/// <reference lib="dom" />
import type { ImageSnapshot } from '../../../port/media-snapshot.ts'
import type { ViewportSnapshot } from '../../../port/page-snapshot.ts'
import { areaOf, intersect, scrollableArea, scrollContainersOf, clipWindowOf } from './clipping.ts'
import { isImageCovered } from './covering.ts'
import { locate, queryAllDeep, composedContains } from './dom.ts'
import { isNamedAsSite } from './furniture.ts'
import type { Article } from './matching.ts'
import { tiltedAreaOf } from './reference-pictures.ts'
import { blurOf, opacityOf } from './visibility.ts'

/** The file name of a URL. It identifies an image that a site serves from another address. */
export function fileNameOf(address: string): string {
  return (
    address
      .split(/[?#]/)[0]!
      .split('/')
      .filter((part) => part !== '')
      .at(-1)
      ?.toLowerCase() ?? ''
  )
}

export function expectedImagesOf(own: Element, blocks: Element[]): ViewportSnapshot['expectedImages'] {
  return [...own.querySelectorAll('img')].map((image) => ({
    src: image.getAttribute('src') ?? '',
    alt: image.getAttribute('alt') ?? '',
    ...(image.width > 0 ? { width: image.width } : {}),
    blocksBefore: countBefore(image, blocks)
  }))
}

/** How many of these elements precede another one in the document. */
export const countBefore = (element: Element, blocks: Element[]): number =>
  blocks.filter((block) => (block.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0).length

/** The URL from which a script should load an image. */
export function lazySourceOf(image: HTMLImageElement): string | null {
  for (const name of ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-url']) {
    const source = image.getAttribute(name)
    if (source !== null && source !== '') return source
  }
  return image.getAttribute('data-srcset')?.trim().split(/\s+/)[0] ?? null
}

/** All images in the article's frame, matched with the blog's images by URL or alternative text. */
export function captureImages(
  { root, frame }: Article,
  own: { images: ViewportSnapshot['expectedImages']; blocks: Element[] }
): ImageSnapshot[] {
  const all = (queryAllDeep('img', frame) as HTMLImageElement[]).filter((image) => !isTracker(image))
  const index = new Map<HTMLImageElement, number>()
  const free = new Set(own.images.keys())
  const assign = (fits: (image: HTMLImageElement, expected: { src: string; alt: string }) => boolean): void => {
    for (const image of all.filter((one) => !index.has(one))) {
      for (const expected of free) {
        if (!fits(image, own.images[expected]!)) continue
        index.set(image, expected)
        free.delete(expected)
        break
      }
    }
  }
  const sources = (image: HTMLImageElement) =>
    [image.getAttribute('src'), image.currentSrc, lazySourceOf(image)]
      .filter((source) => source !== null)
      .map(decodeSource)
  assign((image, { src }) =>
    sources(image).some(
      (source) =>
        fileNameOf(source) !== '' &&
        (fileNameOf(source) === fileNameOf(src) || source.includes(encodeURIComponent(src)) || source.includes(src))
    )
  )
  const named = new Set(index.keys())
  assign((image, { alt }) => alt.length > 3 && image.alt.trim() === alt.trim() && root.contains(image))
  return all.map((image) =>
    captureImage(image, {
      index: index.get(image) ?? null,
      matchedByUrl: named.has(image),
      inArticle: composedContains(root, image),
      betweenBlocks: isBetween(image, own.blocks) && !isOfSite(image, root),
      ...(index.has(image) ? { blocksBefore: countBefore(image, own.blocks) } : {})
    })
  )
}

/** Image services of a site may have the original URL in the query. */
export function decodeSource(source: string): string {
  const inner = /[?&](?:url|src|image)=([^&]+)/.exec(source)?.[1]
  try {
    return inner === undefined ? source : decodeURIComponent(inner)
  } catch {
    return source
  }
}

export function captureImage(
  image: HTMLImageElement,
  known: Pick<ImageSnapshot, 'index' | 'matchedByUrl' | 'inArticle' | 'betweenBlocks' | 'blocksBefore'>
): ImageSnapshot {
  const box = image.getBoundingClientRect()
  const blurPx = blurOf(image)
  const shown = intersect(box, clipWindowOf(image))
  const seen = scrollContainersOf(image).length > 0 ? areaOf(shown) : areaOf(intersect(shown, scrollableArea()))
  return {
    ...known,
    similarity: null,
    ...locate(image),
    src: (image.currentSrc || image.getAttribute('src') || '').slice(0, 500),
    lazySrc: lazySourceOf(image)?.slice(0, 500) ?? null,
    alt: image.getAttribute('alt'),
    complete: image.complete,
    naturalWidth: image.naturalWidth,
    naturalHeight: image.naturalHeight,
    objectFit: getComputedStyle(image).objectFit,
    rendered: box.width > 1 && box.height > 1 && image.checkVisibility({ visibilityProperty: true }),
    opacity: opacityOf(image),
    // Nothing can be recognized in a picture that is blurred by more.
    ...(blurPx > 2 ? { blurPx: Math.round(blurPx) } : {}),
    visibleShare:
      areaOf(box) === 0 || (known.index !== null && seen > 0 && isImageCovered(image)) ? 0 : seen / areaOf(box),
    ...captionOf(image),
    ...contentRatioOf(image),
    ...shownShareOf(image)
  }
}

/** The shape of the file's area if it is not that of the box: with a border, padding or a turn. */
export function contentRatioOf(image: HTMLImageElement): Pick<ImageSnapshot, 'contentRatio'> {
  const box = image.getBoundingClientRect()
  const { width, height } = tiltedAreaOf(image)
  if (width <= 0 || height <= 0 || box.height === 0) return {}
  const ratio = width / height
  return Math.abs(ratio / (box.width / box.height) - 1) < 0.01 ? {} : { contentRatio: Math.round(ratio * 1000) / 1000 }
}

/** The caption of the figure around an image. */
export function captionOf(image: HTMLImageElement): Pick<ImageSnapshot, 'caption'> {
  const caption = image.closest('figure')?.querySelector('figcaption')?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
  return caption === '' ? {} : { caption: caption.slice(0, 300) }
}

/** The share of a file that its box shows, if `object-fit` crops it, or `object-position` moves it out of the box. */
export function shownShareOf(image: HTMLImageElement): Pick<ImageSnapshot, 'shownShare'> {
  const { objectFit, objectPosition } = getComputedStyle(image)
  const { clientWidth: width, clientHeight: height, naturalWidth, naturalHeight } = image
  if (!/^(?:cover|contain|none)$/.test(objectFit) || width * height * naturalWidth * naturalHeight === 0) return {}
  const ratios = [width / naturalWidth, height / naturalHeight]
  const scale = objectFit === 'none' ? 1 : objectFit === 'cover' ? Math.max(...ratios) : Math.min(...ratios)
  const [x = '50%', y = '50%'] = objectPosition.split(' ')
  const shownOf = (box: number, drawn: number, position: string): number => {
    const start = position.endsWith('%') ? ((box - drawn) * parseFloat(position)) / 100 : parseFloat(position) || 0
    return Math.max(0, Math.min(box, start + drawn) - Math.max(0, start)) / drawn
  }
  const shown = shownOf(width, naturalWidth * scale, x) * shownOf(height, naturalHeight * scale, y)
  return shown < 0.99 ? { shownShare: Math.round(shown * 100) / 100 } : {}
}

/**
 * Whether an image belongs to an advertisement, a teaser or another box of the site: by its names or
 * label, or because it links to something else than the image.
 */
export function isOfSite(image: HTMLImageElement, root: Element): boolean {
  const target = image.closest('a[href]')?.getAttribute('href') ?? ''
  if (target !== '' && !target.startsWith('#') && !/\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(target)) {
    return true
  }
  return isNamedAsSite(image, root)
}

/** Whether an image is a tracking pixel. */
export function isTracker(image: HTMLImageElement): boolean {
  const isDot = (length: string | null) => length !== null && Number.parseInt(length, 10) <= 2
  return (
    (isDot(image.getAttribute('width')) && isDot(image.getAttribute('height'))) ||
    (image.complete &&
      image.naturalWidth <= 2 &&
      image.naturalWidth > 0 &&
      lazySourceOf(image) === null &&
      image.alt === '' &&
      image.getBoundingClientRect().width <= 2)
  )
}

/** Whether an element is between the first and the last of the blog's blocks. */
export function isBetween(element: Element, blocks: Element[]): boolean {
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first === undefined || last === undefined) return false
  return (
    (first.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    (last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  )
}
