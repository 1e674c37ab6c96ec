import type sanitizer from 'sanitize-html'
import { textDirection, toWellFormedText } from '../../../lib/text.ts'
import type { BlogImage, Heading } from '../../../schemas/blog.ts'
import {
  ELEMENTS,
  FRAME_HOSTS,
  GLOBAL_ATTRIBUTES,
  LINK_SCHEMES,
  REMOVED_ELEMENTS,
  RENAMED_ELEMENTS
} from './allow-list.ts'
import { cleanTree, type CleanContext, type SanitizeOptions } from './clean-tree.ts'
import { assignIds } from './headings.ts'
import { loadSanitizeHtml } from './lazy-libraries.ts'
import { extractTextBlocks, type TextBlock } from './text-blocks.ts'
import { findTemplateTag, escapeQuotesInTags, templateInLink, findTemplateTags } from './template-tags.ts'
import { makeElement, makeText, parseInDiv, serialize, setChildren, type ParentNode } from './tree.ts'

/**
 * Some trees change when they are serialized and parsed again (a link in a link, a paragraph in a
 * table); each pass brings them closer to a stable form.
 */
const MAX_PASSES = 8

export interface Sanitized {
  /**
   * Wrapped in `<div class="svc-blog" data-svc-blog="{id}" lang="{locale}" dir="ltr or rtl">`, with
   * the placeholder for the service's own address.
   */
  html: string
  /** The tree of `html`. */
  root: ParentNode
  headings: Heading[]
  images: BlogImage[]
  textBlocks: TextBlock[]
  firstOwnImage: string | null
  /** What was left out or needs attention, one sentence each. */
  warnings: string[]
}

/**
 * Turns any HTML into HTML that is safe in a customer's page: only what the allow-list contains,
 * well-formed, with checked images and links and with heading ids. Idempotent, for stored and for
 * delivered HTML: the loop verifies it. Never throws.
 */
export function sanitizeHtml(html: string, options: SanitizeOptions): Sanitized {
  const warnings = new Set<string>()
  let last = sanitizeOnce(limitNesting(escapeQuotesInTags(toWellFormedText(html))), options, warnings)
  for (let count = 1; count < MAX_PASSES; count++) {
    const next = sanitizeOnce(last.html, options, warnings)
    if (next.html === last.html) return finish(next, warnings)
    last = next
  }
  warnings.add('the HTML cannot be sanitized reliably: only its text was kept')
  return finish(sanitizeOnce(asParagraphs(extractTextBlocks(last.root)), options, warnings), warnings)
}

/** The texts are read of the last pass only. */
type Pass = Omit<Sanitized, 'warnings' | 'textBlocks'>

const finish = (pass: Pass, warnings: Set<string>): Sanitized => ({
  ...pass,
  textBlocks: extractTextBlocks(pass.root),
  warnings: [...warnings]
})

function sanitizeOnce(html: string, options: SanitizeOptions, warnings: Set<string>): Pass {
  const warn = (warning: string) => {
    warnings.add(warning)
  }
  const cleaning: CleanContext = { options, warn, images: [], firstOwnImage: null, highlighted: 0 }
  // In every pass, because the pass before may have decoded `&#1;` into a control character.
  const root = parseInDiv(stripHtml(toWellFormedText(html), warn))
  cleanTree(root, cleaning)
  const headings = assignIds(root, cleaning)
  const { blogId, locale } = options
  const wrapper = makeElement(
    'div',
    { class: 'svc-blog', 'data-svc-blog': blogId, lang: locale, dir: textDirection(locale) },
    root.childNodes
  )
  setChildren(root, [wrapper])
  const result = serialize(root)
  // A template tag contains a brace: other texts need not be read.
  if (result.includes('{')) {
    for (const { withoutCode } of extractTextBlocks(root)) {
      for (const tag of findTemplateTags(withoutCode)) warn(`the text contains the template tag ${tag}`)
    }
  }
  return {
    html: result,
    root,
    headings,
    images: cleaning.images,
    firstOwnImage: cleaning.firstOwnImage
  }
}

function asParagraphs(textBlocks: TextBlock[]): string {
  return serialize(
    makeElement(
      'div',
      {},
      textBlocks.map(({ text }) => makeElement('p', {}, [makeText(text)]))
    )
  )
}

/**
 * Deeper elements lose their tags. Higher than the limit of the tree, and low enough for recursive
 * walks.
 */
const NESTING_LIMIT = 200
const REPORTED: ReadonlySet<string> = new Set([...REMOVED_ELEMENTS, 'form', 'button', 'base', 'link', 'meta', 'frame'])

/** `h1` is allowed here: the tree decides whether it repeats the title. */
const TAGS = [...Object.keys(ELEMENTS), 'h1']
/** The library searches its list for each tag, and for each text: those come first of which a blog may have many. */
const FREQUENT = ['td', 'a', 'sup', 'p', 'li', 'tr', 'code', 'em', 'strong', 'span', 'br', 'div']
TAGS.sort((one, other) => Number(FREQUENT.includes(other)) - Number(FREQUENT.includes(one)))
const ATTRIBUTES: Record<string, string[]> = {
  '*': [...GLOBAL_ATTRIBUTES],
  ...Object.fromEntries(Object.entries(ELEMENTS).map(([tag, names]) => [tag, [...names]]))
}

/**
 * The first stage of sanitizing: elements, attributes and schemes by allow-list, without comments
 * and foreign content. `warn` receives what was left out. The second stage (clean-tree.ts) parses
 * the result as a browser does.
 */
export function stripHtml(html: string, warn: (warning: string) => void): string {
  const options: sanitizer.IOptions = {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: [...LINK_SCHEMES],
    allowProtocolRelative: true,
    allowedIframeHostnames: [...FRAME_HOSTS],
    nonTextTags: [...REMOVED_ELEMENTS],
    transformTags: { ...RENAMED_ELEMENTS },
    nestingLimit: NESTING_LIMIT,
    parseStyleAttributes: false,
    onOpenTag: (name, attributes) => report(name, attributes, warn)
  }
  return loadSanitizeHtml()(html, options)
}

function report(name: string, attributes: Record<string, string>, warn: (warning: string) => void): void {
  if (REPORTED.has(name)) warn(`<${name}> was removed`)
  if ('style' in attributes) warn('style attributes were removed: send the rules in `css`')
  if (name !== 'a') return
  const href = attributes.href ?? ''
  const tag = findTemplateTag(href)
  if (tag !== null) warn(templateInLink(tag))
  else if (/^\s*(?:javascript|vbscript|data|file|blob)\s*:/i.test(href)) {
    warn('the target of a link was removed: its scheme must be http, https, mailto or tel')
  }
}

/**
 * Deeper elements lose their tags before parsing, because the cost of parsing grows with the square
 * of the depth. Real pages stay below 50.
 */
const MAX_DEPTH = 250
/**
 * Limit for open elements with an optional end tag, counted separately: a long page may leave
 * thousands of them open without nesting anything.
 */
const MAX_OPEN = 5_000

const TAG = /<(\/?)([a-zA-Z][^\s/<>]{0,30})[^<>]{0,10000}>?/g
const VOID: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr'
])
const END_OPTIONAL: ReadonlySet<string> = new Set([
  'p',
  'li',
  'dt',
  'dd',
  'td',
  'th',
  'tr',
  'thead',
  'tbody',
  'tfoot',
  'colgroup',
  'rp',
  'rt',
  'option',
  'optgroup'
])

/** Whether the HTML may have more tags than this. */
function hasMoreTags(html: string, count: number): boolean {
  let at = -1
  for (let found = 0; found <= count; found++) {
    at = html.indexOf('<', at + 1)
    if (at === -1) return false
  }
  return true
}

/**
 * Removes start tags that are nested too deep, by counting tags only. Quotes, comments and scripts
 * need not be understood, because the result is sanitized. HTML within the limits is returned
 * unchanged.
 */
export function limitNesting(html: string): string {
  if (!hasMoreTags(html, MAX_DEPTH)) return html
  let depth = 0
  let open = 0
  return html.replace(TAG, (tag, slash: string, name: string) => {
    const lower = name.toLowerCase()
    if (VOID.has(lower)) return tag
    if (END_OPTIONAL.has(lower)) {
      open = Math.max(0, open + (slash ? -1 : 1))
      return open > MAX_OPEN && !slash ? ' ' : tag
    }
    if (slash) {
      depth = Math.max(0, depth - 1)
      return tag
    }
    // Replaced by a space, so that its neighbors cannot join into a tag.
    if (depth >= MAX_DEPTH) return ' '
    depth++
    return tag
  })
}
