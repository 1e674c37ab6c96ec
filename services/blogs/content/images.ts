import { IMAGE_WIDTHS } from '../../../schemas/image.ts'
import { VALUE_CHECKS } from './allow-list.ts'
import type { CleanContext, OwnImage, SanitizeOptions } from './clean-tree.ts'
import { IMAGES_PATH, ORIGIN, storedImageUrl } from './origin.ts'
import { decodePercent, findTemplateTag } from './template-tags.ts'
import { attributeOf, setAttributes, type Element } from './tree.ts'
import { collapse } from '../../../lib/text.ts'

/** The theme's measure is 48rem; below it an image is as wide as the window. */
const SIZES = '(max-width: 768px) 100vw, 768px'

interface OwnImageMatch {
  url: string
  image: OwnImage | null
}

/**
 * The stored address of an image that is the service's own: one under the public address or the
 * placeholder, or, for a relative address,
 * one whose last part is the name of an image of this blog (its own name or the name it was
 * uploaded with). Null: not ours.
 */
export function findOwnImage(src: string, options: SanitizeOptions): OwnImageMatch | null {
  const under = parseOwnUrl(src, options.publicUrl)
  if (under !== null) {
    const image =
      under.blogId === options.blogId ? (options.images.find((each) => each.filename === under.filename) ?? null) : null
    return { url: storedImageUrl(under.blogId, under.filename), image }
  }
  if (/^(?:https:|data:|[\\/]{2})/i.test(src)) return null
  const name = decodePercent(
    src
      .replace(/[?#].*$/s, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  ).replace(/["'\s|]*(?:url)?\s*\}\}.*$/s, '')
  const image =
    name === '' ? undefined : options.images.find((each) => each.filename === name || each.originalName === name)
  return image ? { url: storedImageUrl(options.blogId, image.filename), image } : null
}

function parseOwnUrl(src: string, publicUrl: string): { blogId: string; filename: string } | null {
  for (const base of [ORIGIN + IMAGES_PATH, publicUrl.replace(/\/+$/, '') + IMAGES_PATH]) {
    const path = src.startsWith(base)
      ? /^([\w-]{1,64})\/([a-z0-9._-]{1,255})(?:[?#].*)?$/s.exec(src.slice(base.length))
      : null
    if (path?.[1] && path[2]) return { blogId: path[1], filename: path[2] }
  }
  return null
}

/** A foreign image's address when it may stay: https only, as the URL standard writes it. */
export function externalImageUrl(src: string): string | null {
  const address = /^[\\/]{2}/.test(src) ? `https:${src}` : src
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'https:' ? url.href.replaceAll(',', '%2C') : null
}

/**
 * Gives an image its address, sizes and manner of loading; false: it must go, and why was told. The
 * first one of a blog is loaded at once, the others when they come near.
 */
export function cleanImage(img: Element, kept: Record<string, string>, cleaning: CleanContext): boolean {
  const src = (attributeOf(img, 'src') ?? '').trim()
  const own = findOwnImage(src, cleaning.options)
  const url = own?.url ?? externalImageUrl(src)
  if (url === null) {
    reportImage(src, cleaning)
    return false
  }
  const alt = collapse(attributeOf(img, 'alt') ?? own?.image?.alt ?? '')
  if (attributeOf(img, 'alt') === undefined && alt === '') {
    cleaning.warn(`the image ${nameOf(src)} has no alternative text`)
  }
  const first = cleaning.images.length === 0
  const width = own?.image?.width ?? numberOf(kept.width)
  const height = own?.image?.height ?? numberOf(kept.height)
  const srcset = own?.image
    ? ownSrcset(own.image, url)
    : own
      ? null
      : externalSrcset(attributeOf(img, 'srcset') ?? '', cleaning.options)
  setAttributes(img, {
    ...kept,
    src: url,
    srcset,
    sizes: srcset ? (kept.sizes ?? SIZES) : null,
    alt,
    width: width?.toString() ?? null,
    height: height?.toString() ?? null,
    loading: first ? 'eager' : 'lazy',
    decoding: 'async',
    fetchpriority: first ? 'high' : null
  })
  cleaning.images.push({ url, alt, width, height })
  if (own?.image) cleaning.firstOwnImage ??= own.image.filename
  return true
}

/** Gives a `source` of a picture its candidates; false: it has none that may stay. */
export function cleanSource(source: Element, kept: Record<string, string>, { options }: CleanContext): boolean {
  const srcset = externalSrcset(attributeOf(source, 'srcset') ?? '', options)
  if (srcset === null) return false
  setAttributes(source, { ...kept, srcset, sizes: kept.sizes ?? (/ \d+w/.test(srcset) ? SIZES : null) })
  return true
}

/**
 * Widths of the closed list below the image's own, then its own; never one that would have to be
 * scaled up.
 */
function ownSrcset(image: OwnImage, url: string): string {
  const smaller = IMAGE_WIDTHS.filter((width) => width < image.width).map(
    (width) => `${url}?w=${width}&format=auto ${width}w`
  )
  return [...smaller, `${url}?format=auto ${image.width}w`].join(', ')
}

const CANDIDATE = /([^\s,]\S{0,1999}?)(?:\s+(\d{1,5}w|\d{1,2}(?:\.\d{1,3})?x))?\s*(?:,(?=\s|$)|$)/g

function externalSrcset(srcset: string, options: SanitizeOptions): string | null {
  const candidates = Array.from(srcset.slice(0, 10_000).matchAll(CANDIDATE), ([, src = '', descriptor]) => {
    const own = findOwnImage(src, options)
    const url = own ? own.url + (/\?(?:w=\d+&)?format=[a-z]+$/.exec(src)?.[0] ?? '') : externalImageUrl(src)
    return url === null ? null : descriptor ? `${url} ${descriptor}` : url
  })
  const safe = candidates.filter((candidate) => candidate !== null)
  return safe.length > 0 ? safe.join(', ') : null
}

function reportImage(src: string, { warn }: CleanContext): void {
  const tag = findTemplateTag(src)
  if (tag !== null) warn(`an image was left out, for its address holds the template tag ${tag}`)
  else if (src === '') warn('an image without an address was left out')
  else warn(`the image ${nameOf(src)} was left out: it is neither https nor uploaded to this blog`)
}

const nameOf = (src: string) => src.replace(/^data:.*/is, 'data:…').slice(0, 120)
const numberOf = (value: string | undefined) =>
  value !== undefined && VALUE_CHECKS.width?.(value) ? Number(value) : null
