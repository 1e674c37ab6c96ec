import type { CssNode, Rule, Selector, SelectorList } from 'css-tree'
import { loadCssTree } from './lazy-libraries.ts'

const ROOT = 'svc-blog'
/**
 * Elements and pseudo-classes that stand for the page in an author's mind: here the blog is the
 * page.
 */
const PAGE: ReadonlySet<string> = new Set(['html', 'body', ':root'])
const COMBINATORS: ReadonlySet<string> = new Set([' ', '>', '+', '~'])
/** They reach out of the tree that the blog is in, or paint above the whole page. */
const BLOCKED_PSEUDOS =
  /^(?:host|host-context|slotted|part|root|scope|backdrop|fullscreen|view-transition.*|cue.*|-webkit-full-screen.*|-moz-full-screen.*|-ms-fullscreen)$/i

/**
 * Prefixes every selector of a rule with `.svc-blog`; those that could reach outside of it are
 * taken out and told of. False: none is left.
 */
export function scopeRule(rule: Rule, warn: (warning: string) => void): boolean {
  if (rule.prelude.type !== 'SelectorList') return false
  const { generate } = loadCssTree()
  const list: SelectorList = rule.prelude
  list.children = list.children.filter((node) => {
    const safe = node.type === 'Selector' && isSafe(node) && scopeSelector(node)
    if (!safe) warn(`css: the selector ${generate(node).slice(0, 80)} was dropped`)
    return safe
  })
  return !list.children.isEmpty
}

/** Whether a selector is wholly understood, and names nothing beyond the blog's own tree. */
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
 * Puts `.svc-blog` in front, or in the place of what stands for the page. False: the selector would
 * leave the blog sideways, or have no place in it.
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

/** `:root` inside of `:is()`, `:not()` or `:has()` would mean the page again. */
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
