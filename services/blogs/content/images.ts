import type { BlogCover, BlogImage, CoverInput } from '../../../schemas/blog.ts'
import { hasLongHost } from '../../../schemas/formats.ts'
import { IMAGE_WIDTHS } from '../../../schemas/image-options.ts'
import { VALUE_CHECKS } from './allow-list.ts'
import type { CleanContext, OwnImage, SanitizeOptions } from './clean-tree.ts'
import { IMAGES_PATH, ORIGIN, storedImageUrl } from './origin.ts'
import { decodePercent, findTemplateTag } from './template-tags.ts'
import { attributeOf, setAttributes, type Element } from './tree.ts'
import { collapse, withoutTrailingSlash } from '../../../lib/text.ts'

/** The usual width of a column of text; on narrower screens an image fills the viewport. */
const SIZES = '(max-width: 768px) 100vw, 768px'

interface OwnImageMatch {
  url: string
  image: OwnImage | null
}

/**
 * Finds the image of this service that a URL refers to: a URL under the public URL or the
 * placeholder or, if relative, one whose last segment is the file name or the original name of an
 * image of this blog. Null for external images.
 */
export function findOwnImage(src: string, options: SanitizeOptions): OwnImageMatch | null {
  const under = parseOwnUrl(src, options.publicUrl)
  if (under !== null) {
    const image =
      under.blogId === options.blogId ? (options.images.find((each) => each.filename === under.filename) ?? null) : null
    return { url: storedImageUrl(under.blogId, under.filename), image }
  }
  if (/^(?:https:|data:|[\\/]{2})/i.test(src)) return null
  const [path = ''] = src.split(/[?#]/, 1)
  const name = withoutTemplateEnd(decodePercent(path.split(/[\\/]/).at(-1) ?? ''))
  const image =
    name === '' ? undefined : options.images.find((each) => each.filename === name || each.originalName === name)
  return image ? { url: storedImageUrl(options.blogId, image.filename), image } : null
}

/** Removes the end of a template tag with its filter, such as `' | url }}`, and what follows it. */
function withoutTemplateEnd(name: string): string {
  const end = name.indexOf('}}')
  if (end === -1) return name
  const expression = name.slice(0, end).trimEnd()
  const value = expression.endsWith('url') ? expression.slice(0, -'url'.length) : expression
  let length = value.length
  while (length > 0 && /["'\s|]/.test(value[length - 1]!)) length--
  return value.slice(0, length)
}

function parseOwnUrl(src: string, publicUrl: string): { blogId: string; filename: string } | null {
  for (const base of [ORIGIN + IMAGES_PATH, withoutTrailingSlash(publicUrl) + IMAGES_PATH]) {
    const path = src.startsWith(base)
      ? /^([\w-]{1,64})\/([a-z0-9._-]{1,255})(?:[?#].*)?$/s.exec(src.slice(base.length))
      : null
    if (path?.[1] && path[2]) return { blogId: path[1], filename: path[2] }
  }
  return null
}

/** The normalized URL of an external image; null unless it is https. */
export function externalImageUrl(src: string): string | null {
  const address = /^[\\/]{2}/.test(src) ? `https:${src}` : src
  if (hasLongHost(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'https:' ? url.href.replaceAll(',', '%2C') : null
}

/**
 * Sets URL, sizes and loading of an image. Returns false when the image must be removed; a warning
 * was added then. The first image of a blog loads eagerly, the others lazily.
 */
export function cleanImage(img: Element, filtered: Record<string, string>, cleaning: CleanContext): boolean {
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
  const width = own?.image?.width ?? numberOf(filtered.width)
  const height = own?.image?.height ?? numberOf(filtered.height)
  const srcset = own?.image
    ? ownSrcset(own.image, url)
    : own
      ? null
      : externalSrcset(attributeOf(img, 'srcset') ?? '', cleaning.options)
  setAttributes(img, {
    ...filtered,
    src: url,
    srcset,
    sizes: srcset ? (filtered.sizes ?? SIZES) : null,
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

/** Sets the candidates of a `source`; false when none is allowed. */
export function cleanSource(source: Element, filtered: Record<string, string>, { options }: CleanContext): boolean {
  const srcset = externalSrcset(attributeOf(source, 'srcset') ?? '', options)
  if (srcset === null) return false
  setAttributes(source, { ...filtered, srcset, sizes: filtered.sizes ?? (/ \d+w/.test(srcset) ? SIZES : null) })
  return true
}

/** Offered widths below the image's own width, then its own: images are never enlarged. */
function ownSrcset(image: OwnImage, url: string): string {
  const smaller = IMAGE_WIDTHS.filter((width) => width < image.width).map(
    (width) => `${url}?w=${width}&format=auto ${width}w`
  )
  return [...smaller, `${url}?format=auto ${image.width}w`].join(', ')
}

/**
 * The cover of a blog: the given image or, if it cannot be used, the first image of the text. Null
 * for a blog without images. `filename`: the uploaded image that is the cover.
 */
export function findCover(
  given: CoverInput | null,
  first: BlogImage | undefined,
  { options, warn }: Pick<CleanContext, 'options' | 'warn'>
): { cover: BlogCover | null; filename: string | null } {
  const chosen = given === null ? null : toImage(given, options)
  if (given !== null && chosen === null) {
    warn(`the cover ${nameOf(given.url)} is not used: its URL is not https, and it was not uploaded to this blog`)
  }
  const image = chosen ?? first
  if (image === undefined) return { cover: null, filename: null }
  const own = findOwnImage(image.url, options)?.image ?? null
  const srcset = own === null ? null : ownSrcset(own, image.url)
  return { cover: { ...image, srcset }, filename: own?.filename ?? null }
}

function toImage({ url: src, alt, width, height }: CoverInput, options: SanitizeOptions): BlogImage | null {
  const own = findOwnImage(src.trim(), options)
  const url = own?.url ?? externalImageUrl(src.trim())
  if (url === null) return null
  return {
    url,
    alt: collapse(alt ?? own?.image?.alt ?? ''),
    width: own?.image?.width ?? width ?? null,
    height: own?.image?.height ?? height ?? null
  }
}

const WORD = /\S+/g
/** What follows the URL of a candidate: its descriptor, and a comma or the end. */
const AFTER_URL = /(?:\s+(\d{1,5}w|\d{1,2}(?:\.\d{1,3})?x))?\s*(?:,(?=\s|$)|$)/y
const MAX_URL_LENGTH = 2_000

/** The candidates of a `srcset`. One expression for all of it took quadratic time for long words. */
function* candidatesOf(srcset: string): Generator<{ src: string; descriptor: string | undefined }> {
  WORD.lastIndex = 0
  for (let word = WORD.exec(srcset); word !== null; word = WORD.exec(srcset)) {
    const endsWithComma = word[0].endsWith(',')
    const url = endsWithComma ? word[0].slice(0, -1) : word[0]
    const src = url.slice(-MAX_URL_LENGTH).replace(/^,+/, '')
    if (src === '') continue
    AFTER_URL.lastIndex = WORD.lastIndex
    const after = endsWithComma ? [''] : AFTER_URL.exec(srcset)
    if (after === null) continue
    yield { src, descriptor: after[1] }
    WORD.lastIndex += after[0]!.length
  }
}

function externalSrcset(srcset: string, options: SanitizeOptions): string | null {
  const candidates = Array.from(candidatesOf(srcset.slice(0, 10_000)), ({ src, descriptor }) => {
    const own = findOwnImage(src, options)
    const url = own ? own.url + (/\?(?:w=\d+&)?format=[a-z]+$/.exec(src)?.[0] ?? '') : externalImageUrl(src)
    return url === null ? null : descriptor ? `${url} ${descriptor}` : url
  })
  const safe = candidates.filter((candidate) => candidate !== null)
  return safe.length > 0 ? safe.join(', ') : null
}

function reportImage(src: string, { warn }: CleanContext): void {
  const tag = findTemplateTag(src)
  if (tag !== null) warn(`an image was removed because its URL contains the template tag ${tag}`)
  else if (src === '') warn('an image without a URL was removed')
  else warn(`the image ${nameOf(src)} was removed: its URL is not https, and it was not uploaded to this blog`)
}

const nameOf = (src: string) => src.replace(/^data:.*/is, 'data:…').slice(0, 120)
const numberOf = (value: string | undefined) =>
  value !== undefined && VALUE_CHECKS.width?.(value) ? Number(value) : null
