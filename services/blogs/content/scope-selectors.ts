import type { CssNode, Rule, Selector, SelectorList } from 'css-tree'
import { loadCssTree } from './lazy-libraries.ts'

const ROOT = 'svc-blog'
/** Elements and pseudo-classes for the whole page: here they refer to the blog. */
const PAGE: ReadonlySet<string> = new Set(['html', 'body', ':root'])
const COMBINATORS: ReadonlySet<string> = new Set([' ', '>', '+', '~'])
/** Pseudo-classes that leave the tree of the blog or paint above the page. */
const BLOCKED_PSEUDOS = new RegExp(
  '^(?:host|host-context|slotted|part|root|scope|backdrop|fullscreen|view-transition.*|cue.*|' +
    '-webkit-full-screen.*|-moz-full-screen.*|-ms-fullscreen)$',
  'i'
)

/**
 * Prefixes every selector of a rule with `.svc-blog` and removes, with a warning, those that could
 * match outside of it. Returns null when none is left, `wrapper` when one of them matches the
 * wrapper itself, and otherwise `inside`.
 */
export function scopeRule(rule: Rule, warn: (warning: string) => void): 'inside' | 'wrapper' | null {
  if (rule.prelude.type !== 'SelectorList') return null
  const { generate } = loadCssTree()
  const list: SelectorList = rule.prelude
  list.children = list.children.filter((node) => {
    const safe = node.type === 'Selector' && isSafe(node) && scopeSelector(node)
    if (!safe) warn(`css: the selector ${generate(node).slice(0, 80)} was removed`)
    return safe
  })
  if (list.children.isEmpty) return null
  return list.children.some((node) => node.type === 'Selector' && matchesWrapper(node)) ? 'wrapper' : 'inside'
}

/** Whether a scoped selector matches the wrapper. Pseudo-elements are boxes inside of it. */
function matchesWrapper(selector: Selector): boolean {
  const parts = selector.children.toArray()
  return !parts.some((part) => part.type === 'Combinator' || part.type === 'PseudoElementSelector')
}

/** Whether a selector was parsed completely and matches only inside the blog. */
function isSafe(selector: Selector): boolean {
  return loadCssTree().find(selector, (node) => isBlocked(node)) === null
}

function isBlocked(node: CssNode): boolean {
  if (node.type === 'Raw' || node.type === 'NestingSelector' || node.type === 'Percentage') return true
  if (node.type === 'Combinator') return !COMBINATORS.has(node.name)
  if (node.type === 'TypeSelector') return node.name.includes('|')
  if (node.type !== 'PseudoClassSelector' && node.type !== 'PseudoElementSelector') return false
  return (
    node.name.includes('\\') ||
    (BLOCKED_PSEUDOS.test(node.name) && !(node.name.toLowerCase() === 'root' && node.type === 'PseudoClassSelector'))
  )
}

/**
 * Prepends `.svc-blog`, or replaces a name of the page by it. Returns false when the selector would
 * leave the blog through a sibling combinator or cannot match in it.
 */
function scopeSelector(selector: Selector): boolean {
  const compounds = compoundsOf(selector)
  while (
    compounds.length > 1 &&
    containsPageName(compounds[0]?.parts) &&
    containsPageName(compounds[1]?.parts) &&
    ' >'.includes(compounds[1]?.combinator ?? '+')
  ) {
    compounds.shift()
  }
  const [first, second] = compounds
  if (!first || first.parts.length === 0) return false
  first.combinator = null
  if (containsPageName(first.parts)) {
    if (second && second.combinator !== ' ' && second.combinator !== '>') return false
    const others = first.parts.filter((part) => !isPageName(part))
    first.parts = [
      ...others.filter(isType),
      { type: 'ClassSelector', name: ROOT },
      ...others.filter((part) => !isType(part))
    ]
  } else {
    first.combinator = ' '
    compounds.unshift({ combinator: null, parts: [{ type: 'ClassSelector', name: ROOT }] })
  }
  if (
    compounds.some(({ parts }) => parts.length === 0) ||
    compounds.slice(1).some(({ parts }) => parts.some(isPageName)) ||
    nestsRoot(selector)
  ) {
    return false
  }
  selector.children.fromArray(
    compounds.flatMap(({ combinator, parts }) =>
      combinator === null ? parts : [{ type: 'Combinator', name: combinator } as CssNode, ...parts]
    )
  )
  return true
}

interface Compound {
  combinator: string | null
  parts: CssNode[]
}

function compoundsOf(selector: Selector): Compound[] {
  const compounds: Compound[] = [{ combinator: null, parts: [] }]
  for (const node of selector.children.toArray()) {
    if (node.type === 'Combinator') compounds.push({ combinator: node.name, parts: [] })
    else compounds.at(-1)?.parts.push(node)
  }
  return compounds
}

function isPageName(node: CssNode): boolean {
  if (node.type === 'TypeSelector') return PAGE.has(node.name.toLowerCase())
  if (node.type === 'ClassSelector') return node.name === ROOT
  return node.type === 'PseudoClassSelector' && PAGE.has(`:${node.name.toLowerCase()}`)
}

const isType = (node: CssNode) => node.type === 'TypeSelector'
const containsPageName = (parts: CssNode[] | undefined) => parts?.some(isPageName) ?? false

/** `:root` inside `:is()`, `:not()` or `:has()` would refer to the page again. */
function nestsRoot(selector: Selector): boolean {
  return selector.children.some(
    (part) =>
      part.type === 'PseudoClassSelector' &&
      part.children !== null &&
      loadCssTree().find(
        part,
        (node) => node !== part && node.type === 'PseudoClassSelector' && node.name.toLowerCase() === 'root'
      ) !== null
  )
}
