import { hasLongHost } from '../../../schemas/formats.ts'
import { IMAGES_PATH } from './origin.ts'
import type { CleanContext } from './clean-tree.ts'
import { LINK_SCHEMES } from './allow-list.ts'
import { findOwnImage } from './images.ts'
import { findTemplateTag, templateInLink } from './template-tags.ts'
import { attributeOf, setAttributes, type Element } from './tree.ts'
import { trimEndOf } from '../../../lib/text.ts'

/** Base URL for validating relative links. */
const SOME_PAGE = 'https://page.invalid/blog/slug'
const IMAGE_NAME = /\.(?:avif|webp|jpe?g|png|gif)$/i

/**
 * Removes what a URL parser removes or what could hide a scheme: control characters anywhere, white
 * space and invisible characters at both ends.
 */
export function trimUrl(value: string): string {
  const visible = value
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .replace(/^[\s\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]+/, '')
  return trimEndOf(visible, /[\s\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]/)
}

/**
 * The target of a link if allowed: http, https, mailto, tel, relative, or a fragment. Absolute URLs
 * are normalized. Null otherwise.
 */
export function safeHref(value: string): string | null {
  const href = trimUrl(value)
  if (href === '' || hasLongHost(href) || !URL.canParse(href, SOME_PAGE)) return null
  const url = new URL(href, SOME_PAGE)
  if (!LINK_SCHEMES.includes(url.protocol.slice(0, -1))) return null
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(href) || /^[\\/]{2}/.test(href)
  return absolute ? url.href : href
}

/**
 * Sets the target, `rel` and `target` (`_blank` only) of a link; without a safe URL only its text
 * stays. Fragments are resolved in headings.ts.
 */
export function cleanLink(link: Element, filtered: Record<string, string>, cleaning: CleanContext): void {
  const href = hrefOf(attributeOf(link, 'href'), cleaning)
  if (href === null) return setAttributes(link, filtered)
  const target = attributeOf(link, 'target')?.toLowerCase() === '_blank' ? '_blank' : null
  const rel = new Set(
    (attributeOf(link, 'rel') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => /^[a-z-]{1,30}$/.test(word) && word !== 'opener')
  )
  if (target) rel.add('noopener')
  setAttributes(link, {
    ...filtered,
    href,
    target,
    rel: rel.size > 0 ? [...rel].join(' ') : null,
    hreflang: filtered.hreflang
  })
}

function hrefOf(value: string | undefined, { options, warn }: CleanContext): string | null {
  if (value === undefined) return null
  const tag = findTemplateTag(value)
  if (tag !== null) {
    warn(templateInLink(tag))
    return null
  }
  const trimmed = trimUrl(value)
  if (IMAGE_NAME.test(trimmed) || trimmed.includes(IMAGES_PATH)) {
    const own = findOwnImage(trimmed, options)
    if (own !== null) return own.url
  }
  const href = safeHref(value)
  if (href === null) warn('the target of a link was removed: its scheme must be http, https, mailto or tel')
  return href
}
