import type sanitizeHtml from 'sanitize-html'
import { ELEMENTS, FRAME_HOSTS, GLOBAL_ATTRIBUTES, LINK_SCHEMES, RENAMED, REMOVED_WHOLE } from './allow-list.ts'
import { loadSanitizeHtml } from './libraries.ts'
import { findTemplateTag } from './template-tags.ts'

/**
 * Deeper elements lose their tags. Far above what the tree keeps, and low enough for every walk
 * over it.
 */
const NESTING_LIMIT = 200
const REPORTED: ReadonlySet<string> = new Set([
  ...REMOVED_WHOLE,
  'form',
  'input',
  'button',
  'base',
  'link',
  'meta',
  'frame'
])

/** `h1` passes: the tree decides whether it repeats the title. */
const TAGS = [...Object.keys(ELEMENTS), 'h1']
const ATTRIBUTES: Record<string, string[]> = {
  '*': [...GLOBAL_ATTRIBUTES],
  ...Object.fromEntries(Object.entries(ELEMENTS).map(([tag, names]) => [tag, [...names]]))
}

/**
 * The first wall: elements, attributes and schemes by an allow-list, comments and foreign content
 * gone. `warn` hears what was left out.
 * The second is the tree (clean-tree.ts), which reads what comes out of this as a browser would.
 */
export function stripHtml(html: string, warn: (warning: string) => void): string {
  const options: sanitizeHtml.IOptions = {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: [...LINK_SCHEMES],
    allowProtocolRelative: true,
    allowedIframeHostnames: [...FRAME_HOSTS],
    nonTextTags: [...REMOVED_WHOLE],
    transformTags: { ...RENAMED },
    nestingLimit: NESTING_LIMIT,
    parseStyleAttributes: false,
    onOpenTag: (name, attributes) => report(name, attributes, warn)
  }
  return loadSanitizeHtml()(html, options)
}

function report(name: string, attributes: Record<string, string>, warn: (warning: string) => void): void {
  if (REPORTED.has(name)) warn(`<${name}> is not kept`)
  if ('style' in attributes) warn('style attributes are not kept: send the rules as css')
  if (name !== 'a') return
  const href = attributes.href ?? ''
  const tag = findTemplateTag(href)
  if (tag !== null) warn(templateInLink(tag))
  else if (/^\s*(?:javascript|vbscript|data|file|blob)\s*:/i.test(href)) {
    warn('a link whose scheme is not http, https, mailto or tel lost its target')
  }
}

/** What is said of a template tag in a link's target. */
export function templateInLink(tag: string): string {
  return `a link lost its target, for it holds the template tag ${tag}`
}
