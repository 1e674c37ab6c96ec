import type { Atrule, CssNode, Declaration, List, Rule, StyleSheet } from 'css-tree'
import type { ArticleStyle } from '../../../schemas/article-style.ts'
import type { SanitizeOptions } from './clean-tree.ts'
import { findOwnImage } from './images.ts'
import { loadCssTree } from './lazy-libraries.ts'
import { IMAGES_PATH, ORIGIN, escapeOrigin } from './origin.ts'
import { scopeRule } from './scope-selectors.ts'
import { themeCss } from './theme/index.ts'
import { toWellFormedText } from '../../../lib/text.ts'

const CONDITIONS: ReadonlySet<string> = new Set(['media', 'supports', 'container'])
const KEYFRAMES = /^(?:-webkit-|-moz-)?keyframes$/
const KEYFRAMES_PREFIX = 'svc-'
/** No real style sheet nests deeper; all walks over the tree are recursive. */
const MAX_DEPTH = 60
const MAX_PASSES = 5

interface Scoping {
  options: SanitizeOptions
  warn: (warning: string) => void
  animations: Set<string>
}

/**
 * Limits an author's style sheet to the blog: every selector below `.svc-blog`, at-rules and
 * properties by list, URLs of the blog's own images only, keyframes renamed, and nothing that
 * css-tree cannot parse. Idempotent. Never throws; `warn` receives what was dropped.
 */
export function scopeCss(css: string, options: SanitizeOptions, warn: (warning: string) => void): string {
  let last = scopeOnce(toWellFormedText(css), options, warn)
  for (let count = 1; count < MAX_PASSES; count++) {
    const next = scopeOnce(last, options, warn)
    if (next === last) return last
    last = next
  }
  warn('css: the style sheet cannot be sanitized reliably and was removed')
  return ''
}

/**
 * The delivered style sheet: the theme with the project's settings, then the author's scoped CSS. It
 * is not in a cascade layer, because any reset of the page outside of layers would win over it.
 */
export function deliverCss(
  scopedAuthorCss: string,
  publicUrl: string = ORIGIN,
  style: Partial<ArticleStyle> = {}
): string {
  const authorCss = scopedAuthorCss.replaceAll(ORIGIN + IMAGES_PATH, cssOrigin(publicUrl) + IMAGES_PATH)
  return themeCss(style) + authorCss
}

/** Percent-encodes what could end `url()`. */
const cssOrigin = (publicUrl: string) =>
  escapeOrigin(publicUrl).replace(/["'()\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

function scopeOnce(css: string, options: SanitizeOptions, warn: (warning: string) => void): string {
  if (css.trim() === '') return ''
  if (depthOf(css) > MAX_DEPTH) {
    warn('css: the style sheet is nested too deeply and was removed')
    return ''
  }
  const { parse, generate } = loadCssTree()
  const sheet = parse(css, {
    parseCustomProperty: true,
    onParseError: (error) => warn(`css: ${error.message.slice(0, 120)}`)
  }) as StyleSheet
  const scoping: Scoping = { options, warn, animations: animationsOf(sheet) }
  sheet.children = sheet.children.filter((node) => keepsNode(node, scoping))
  // Inside a string or an address this is the same text; nowhere else can it stand. It must not be
  // able to end a style element.
  return generate(sheet).replace(/<(?=[/!])/g, '\\3c ')
}

/** Maximum nesting of brackets of any kind, counted so that quoting cannot lower it. */
function depthOf(css: string): number {
  let depth = 0
  let deepest = 0
  for (const character of css) {
    if ('({['.includes(character)) deepest = Math.max(deepest, ++depth)
    else if (')}]'.includes(character)) depth = Math.max(0, depth - 1)
  }
  return deepest
}

function animationsOf(sheet: StyleSheet): Set<string> {
  const names = new Set<string>()
  loadCssTree().walk(sheet, {
    visit: 'Atrule',
    enter: (node) => {
      if (KEYFRAMES.test(node.name.toLowerCase())) names.add(nameOf(node))
    }
  })
  return names
}

const nameOf = (keyframes: Atrule) => (keyframes.prelude ? loadCssTree().generate(keyframes.prelude) : '')

function keepsNode(node: CssNode, scoping: Scoping): boolean {
  if (node.type === 'Rule') return keepsRule(node, scoping)
  if (node.type === 'Atrule') return keepsAtrule(node, scoping)
  if (node.type !== 'Comment' && node.type !== 'WhiteSpace') {
    scoping.warn('css: a part that cannot be parsed was removed')
  }
  return false
}

function keepsRule(rule: Rule, scoping: Scoping): boolean {
  const matched = scopeRule(rule, scoping.warn)
  if (matched === null) return false
  keepDeclarations(rule.block.children, scoping, matched === 'wrapper' ? wrapperProblem : noProblem)
  return !rule.block.children.isEmpty
}

function keepsAtrule(atrule: Atrule, scoping: Scoping): boolean {
  const name = atrule.name.toLowerCase()
  const { block, prelude } = atrule
  const known = CONDITIONS.has(name) || KEYFRAMES.test(name)
  if (
    !known ||
    !block ||
    !prelude ||
    prelude.type !== 'AtrulePrelude' ||
    valueProblem(prelude, scoping.options) !== null
  ) {
    scoping.warn(`css: @${atrule.name.slice(0, 40)} was removed`)
    return false
  }
  atrule.name = name
  if (KEYFRAMES.test(name)) return keepsKeyframes(atrule, block.children, scoping)
  block.children = block.children.filter((node) => keepsNode(node, scoping))
  return !block.children.isEmpty
}

function keepsKeyframes(atrule: Atrule, frames: List<CssNode>, scoping: Scoping): boolean {
  const name = nameOf(atrule)
  if (!/^[A-Za-z_][\w-]{0,80}$/.test(name)) {
    scoping.warn('css: keyframes with an unsupported name were removed')
    return false
  }
  atrule.prelude = {
    type: 'AtrulePrelude',
    children: frames.fromArray.call(new (frames.constructor as new () => List<CssNode>)(), [
      { type: 'Identifier', name: scopedAnimation(name) }
    ])
  }
  for (const node of frames.toArray()) {
    if (node.type === 'Rule') keepDeclarations(node.block.children, scoping, noProblem)
  }
  const safe = frames
    .toArray()
    .filter((node) => node.type === 'Rule' && isFrameSelector(node) && !node.block.children.isEmpty)
  frames.fromArray(safe)
  return safe.length > 0
}

const isFrameSelector = (rule: Rule) =>
  /^(?:(?:from|to|[\d.]{1,8}%)(?:,(?=.)|$))+$/i.test(loadCssTree().generate(rule.prelude))

const scopedAnimation = (name: string) => (name.startsWith(KEYFRAMES_PREFIX) ? name : KEYFRAMES_PREFIX + name)

function keepDeclarations(
  children: List<CssNode>,
  scoping: Scoping,
  contextProblem: (declaration: Declaration) => string | null
): void {
  const { generate } = loadCssTree()
  const declarations = children.toArray().filter((node) => {
    if (node.type === 'Comment' || (node.type === 'Raw' && /^[\s;]*$/.test(node.value))) return false
    const reason =
      node.type === 'Declaration'
        ? (declarationProblem(node, scoping.options) ?? contextProblem(node))
        : node.type === 'Rule' || node.type === 'Atrule'
          ? 'nested rules are not supported'
          : 'it cannot be parsed'
    if (reason !== null) scoping.warn(`css: ${generate(node).slice(0, 80)} was removed: ${reason}`)
    return reason === null
  }) as Declaration[]
  for (const declaration of declarations) {
    if (/^(?:-webkit-|-moz-)?animation(?:-name)?$/i.test(declaration.property)) {
      renameAnimations(declaration, scoping.animations)
    }
  }
  children.fromArray(declarations)
}

function renameAnimations(declaration: Declaration, animations: Set<string>): void {
  loadCssTree().walk(declaration.value, (node) => {
    if (node.type === 'Identifier' && animations.has(node.name)) node.name = scopedAnimation(node.name)
  })
}

const BLOCKED_PROPERTIES: ReadonlySet<string> = new Set([
  'behavior',
  '-ms-behavior',
  '-moz-binding',
  'isolation',
  'contain',
  'view-transition-name',
  'view-transition-class',
  'view-transition-group',
  // Names that the page can refer to.
  'anchor-name',
  'anchor-scope',
  'scroll-timeline',
  'scroll-timeline-name',
  'view-timeline',
  'view-timeline-name',
  'timeline-scope',
  'src',
  'all'
])
/** Functions whose strings are URLs, or that run code in some browser. */
const BLOCKED_FUNCTIONS = new RegExp(
  '^(?:expression|image|image-set|-webkit-image-set|-moz-image-set|src|element|-moz-element|paint|cross-fade|' +
    '-webkit-cross-fade|url|url-prefix|domain|progid.*|alpha|attr|dynamic-range-limit)$',
  'i'
)
const POSITIONS: ReadonlySet<string> = new Set([
  'static',
  'relative',
  'absolute',
  'inherit',
  'initial',
  'unset',
  'revert',
  'revert-layer'
])
/**
 * The properties that the author may set on the wrapper. They change how it looks inside, and neither
 * its place and size on the page nor its containment.
 */
const WRAPPER_PROPERTIES = new RegExp(
  '^(?:--[\\w-]+|' +
    '(?:background|font|text|word|list-style|padding|column(?!-span)|caption-side|hyphenate)(?:-[a-z-]+)?|' +
    'border(?!-image)(?:-[a-z-]+)?|max-(?:width|inline-size)|color|color-scheme|accent-color|caret-color|line-height|' +
    'letter-spacing|white-space|overflow-wrap|hyphens|tab-size|quotes|orphans|widows|opacity|cursor|columns|' +
    'scrollbar-color|line-break|-webkit-font-smoothing|-moz-osx-font-smoothing)$',
  'i'
)
/** Large values of these properties would make the wrapper wider than its place on the page. */
const SIZES = /^(?:padding|border|font)(?:-|$)/i
/** The maximum values of SIZES by unit. Percentages have the unit `%`. */
const MAX_SIZES: Readonly<Record<string, number>> = {
  px: 48,
  pt: 36,
  em: 3,
  rem: 3,
  ch: 6,
  ex: 6,
  vw: 5,
  vh: 5,
  '%': 200
}
/** Functions in SIZES whose result is not larger than their arguments, and colors. */
const SIZE_FUNCTIONS = /^(?:min|max|clamp|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/i
/** Margins may center the wrapper, but not move it over other parts of the page. */
const MARGINS = /^margin(?:-(?:left|right|inline|inline-start|inline-end))?$/i
/** Above the blog's own elements, below what pages put on top. */
const MAX_Z_INDEX = 99

/**
 * Returns null if the declaration is allowed (URLs of own images are rewritten in it), or else the
 * reason, in a few words.
 */
export function declarationProblem(declaration: Declaration, options: SanitizeOptions): string | null {
  const property = declaration.property.toLowerCase()
  if (!/^(?:--[\w-]+|-?[a-z][a-z0-9-]*)$/.test(property)) return 'the property name is invalid'
  if (BLOCKED_PROPERTIES.has(property)) return 'the property is not allowed'
  if (declaration.value.type === 'Raw' && declaration.value.value.trim() !== '') return 'it cannot be parsed'
  if (property === 'position' && !isOneWord(declaration.value, POSITIONS)) return 'the value is not allowed'
  if (property === 'z-index' && !isLowEnough(declaration.value)) return 'the value is not allowed'
  return valueProblem(declaration.value, options)
}

const noProblem = () => null

/** Returns null if the declaration is allowed on the wrapper, or else the reason. */
function wrapperProblem({ property, value }: Declaration): string | null {
  if (WRAPPER_PROPERTIES.test(property)) {
    return SIZES.test(property) && !isSmall(property, value) ? 'the value is too large for the article itself' : null
  }
  if (MARGINS.test(property) && /^(?:(?:0|auto)(?: |$))+$/i.test(loadCssTree().generate(value))) return null
  return 'it is not allowed on the article itself'
}

/** Whether no length in the value can make the wrapper exceed its place. */
function isSmall(property: string, value: CssNode): boolean {
  // Percentages of a padding refer to the width of the page's column.
  const limits = /^padding/i.test(property) ? { ...MAX_SIZES, '%': 10 } : MAX_SIZES
  return (
    loadCssTree().find(value, (node) => {
      if (node.type === 'Function') return !SIZE_FUNCTIONS.test(node.name)
      if (node.type === 'Raw') return true
      const unit = node.type === 'Dimension' ? node.unit.toLowerCase() : node.type === 'Percentage' ? '%' : null
      return unit !== null && unit !== 'deg' && Number((node as { value: string }).value) > (limits[unit] ?? 0)
    }) === null
  )
}

/** Checks every URL and function in a part of a style sheet. */
export function valueProblem(value: CssNode, options: SanitizeOptions): string | null {
  let reason: string | null = null
  loadCssTree().walk(value, (node) => {
    if (node.type === 'Raw' && node.value.trim() !== '') reason ??= 'it cannot be parsed'
    else if (node.type === 'Function' && (node.name.includes('\\') || BLOCKED_FUNCTIONS.test(node.name))) {
      reason ??= `the function ${node.name.slice(0, 30)}() is not allowed`
    } else if (node.type === 'Url') reason ??= rewriteOwnImage(node, options)
  })
  return reason
}

function rewriteOwnImage(node: { value: string }, options: SanitizeOptions): string | null {
  const own = findOwnImage(node.value.trim(), options)
  if (own === null) return 'the URL is not an image of this blog'
  node.value = own.url
  return null
}

function isOneWord(value: CssNode, words: ReadonlySet<string>): boolean {
  const [only, ...others] = value.type === 'Value' ? value.children.toArray() : []
  return only?.type === 'Identifier' && others.length === 0 && words.has(only.name.toLowerCase())
}

function isLowEnough(value: CssNode): boolean {
  const [only, ...others] = value.type === 'Value' ? value.children.toArray() : []
  if (only === undefined || others.length > 0) return false
  return only.type === 'Number'
    ? Math.abs(Number(only.value)) <= MAX_Z_INDEX
    : only.type === 'Identifier' && /^(?:auto|inherit|initial|unset)$/i.test(only.name)
}
