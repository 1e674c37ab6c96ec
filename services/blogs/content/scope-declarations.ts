import type { CssNode, Declaration } from 'css-tree'
import { loadCssTree } from './libraries.ts'
import { ownImageUrl } from './images.ts'
import type { SanitizeOptions } from './cleaning.ts'

const REFUSED_PROPERTIES: ReadonlySet<string> = new Set([
  'behavior',
  '-ms-behavior',
  '-moz-binding',
  'isolation',
  'contain',
  'view-transition-name',
  'view-transition-class',
  'anchor-scope',
  'src',
  'all'
])
/** Functions whose strings are addresses, or that run code in some browser. */
const REFUSED_FUNCTIONS =
  /^(?:expression|image|image-set|-webkit-image-set|-moz-image-set|src|element|-moz-element|paint|cross-fade|-webkit-cross-fade|url|url-prefix|domain|progid.*|alpha|attr|dynamic-range-limit)$/i
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
/** Above the blog's own parts, and below what pages put on top. */
const HIGHEST_Z_INDEX = 99

/**
 * Null: the declaration may stay (addresses of the blog's own images are rewritten in it).
 * Otherwise why it may not, in a few words.
 */
export function refusalOf(declaration: Declaration, options: SanitizeOptions): string | null {
  const property = declaration.property.toLowerCase()
  if (!/^(?:--[\w-]+|-?[a-z][a-z0-9-]*)$/.test(property)) return 'its name'
  if (REFUSED_PROPERTIES.has(property)) return 'its property'
  if (declaration.value.type === 'Raw' && declaration.value.value.trim() !== '') return 'it cannot be parsed'
  if (property === 'position' && !isOneWord(declaration.value, POSITIONS)) return 'its value'
  if (property === 'z-index' && !isLowEnough(declaration.value)) return 'its value'
  return refusalOfValue(declaration.value, options)
}

/** Looks at every address and function in a part of a style sheet. */
export function refusalOfValue(value: CssNode, options: SanitizeOptions): string | null {
  let refusal: string | null = null
  loadCssTree().walk(value, (node) => {
    if (node.type === 'Raw' && node.value.trim() !== '') refusal ??= 'it cannot be parsed'
    else if (node.type === 'Function' && (node.name.includes('\\') || REFUSED_FUNCTIONS.test(node.name))) {
      refusal ??= `the function ${node.name.slice(0, 30)}()`
    } else if (node.type === 'Url') refusal ??= ownAddress(node, options)
  })
  return refusal
}

function ownAddress(node: { value: string }, options: SanitizeOptions): string | null {
  const own = ownImageUrl(node.value.trim(), options)
  if (own === null) return 'an address that is no image of this blog'
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
    ? Math.abs(Number(only.value)) <= HIGHEST_Z_INDEX
    : only.type === 'Identifier' && /^(?:auto|inherit|initial|unset)$/i.test(only.name)
}
