/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { HidingCause, Typography, Visibility } from '../../../port/page-snapshot.ts'
import { textContrast } from './colors.ts'
import { composedParent, selectorFor, selfAndAncestors } from './dom.ts'

/** A declaration in force, and the element for which it is declared. */
interface Declaration {
  element: Element
  property: string
  value: string
}

/** Which declaration hides a block of text, and the rule of the page that has it. Null if unknown. */
export function hidingCauseOf(
  host: Element,
  visibility: Visibility,
  typography: Typography | null
): HidingCause | null {
  const found = hidingDeclaration(host, visibility, typography)
  if (found === null) return null
  const { element, property, value } = found
  return {
    declaration: `${property}: ${value}`.slice(0, 200),
    element: selectorFor(element),
    ...ruleFor(found)
  }
}

/** The same order as that of the reasons for which text is hidden. */
export function hidingDeclaration(
  host: Element,
  { rendered, opacity, clippedShare, offScreenShare, contrast }: Visibility,
  typography: Typography | null
): Declaration | null {
  const line = selfAndAncestors(host)
  const find = (property: string, applies: (value: string, element: Element) => boolean): Declaration | null => {
    for (const element of line) {
      const value = getComputedStyle(element).getPropertyValue(property)
      if (applies(value, element)) return { element, property, value }
    }
    return null
  }
  const inherited = (property: string): Declaration => originOf(host, property)
  if (!rendered) {
    const isHidden = getComputedStyle(host).visibility !== 'visible'
    return (
      find('display', (value) => value === 'none') ??
      (isHidden ? inherited('visibility') : null) ??
      find('content-visibility', (value, element) => value === 'hidden' && element !== host)
    )
  }
  if (opacity < 0.15) {
    return (
      find('opacity', (value) => Number(value) < 0.4) ??
      find('filter', (value) => /opacity\((?!1\))|blur/.test(value)) ??
      find('opacity', (value) => Number(value) < 1)
    )
  }
  if (clippedShare > 0.5) {
    const isClipping = (value: string, element: Element) => /hidden|clip/.test(value) && overflowsItself(element)
    const clipping = find('overflow', isClipping)
    return (
      find('clip-path', (value) => value !== 'none') ??
      find('clip', (value) => value !== 'auto') ??
      (clipping === null ? null : (movingDeclaration(host, clipping.element) ?? limitOf(clipping.element) ?? clipping))
    )
  }
  if (offScreenShare > 0.5) return movingDeclaration(host, null)
  if (typography !== null && typography.fontPx < 5) return inherited('font-size')
  // Of the first line or of words in the block, the color is another one.
  const isOwnColor = (textContrast(host) ?? contrast ?? 1) < 1.15
  return contrast !== null && contrast < 1.15 && isOwnColor ? inherited('color') : null
}

export const overflowsItself = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element): boolean =>
  scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1

/** What moves a text far away: a declaration of its element or of one around it, below `within`. */
export function movingDeclaration(host: Element, within: Element | null): Declaration | null {
  const all = selfAndAncestors(host)
  const line = within === null ? all : all.slice(0, all.indexOf(within))
  const isFar = (value: string) => Math.abs(parseFloat(value)) > 300
  const isFarOff = (value: string, element: Element) => isFar(value) && getComputedStyle(element).position !== 'static'
  const tests: [property: string, applies: (value: string, element: Element) => boolean][] = [
    ['transform', (value) => value !== 'none'],
    ...['left', 'right', 'top'].map((property): [string, typeof isFarOff] => [property, isFarOff]),
    ['margin-left', isFar]
  ]
  for (const [property, applies] of tests) {
    for (const element of line) {
      const value = getComputedStyle(element).getPropertyValue(property)
      if (applies(value, element)) return { element, property, value }
    }
  }
  return isFar(getComputedStyle(host).textIndent) ? originOf(host, 'text-indent') : null
}

/**
 * What keeps an element that clips its text smaller than its text. Elements may clip without it: the blog's own does.
 * Null if no rule limits its size.
 */
export function limitOf(element: Element): Declaration | null {
  const style = getComputedStyle(element)
  const isTall = element.scrollHeight > element.clientHeight + 1
  const candidates = isTall ? ['-webkit-line-clamp', 'max-height', 'height'] : ['max-width', 'width']
  for (const property of candidates) {
    const value = style.getPropertyValue(property)
    if (/^(?:none|auto|)$/.test(value)) continue
    const limit = { element, property, value }
    if (ruleFor(limit).rule !== null) return limit
  }
  return null
}

/** The element from which a block inherits the value of a property. */
export function originOf(host: Element, property: string): Declaration {
  const valueOf = (element: Element) => getComputedStyle(element).getPropertyValue(property)
  const value = valueOf(host)
  let element = host
  for (let parent = composedParent(host); parent !== null && valueOf(parent) === value; ) {
    element = parent
    parent = composedParent(parent)
  }
  return { element, property, value }
}

/**
 * The rule that declares a value in force: its selector, and the URL of its style sheet. Of several
 * rules the last one with this value, preferably an important one. Style sheets of other hosts cannot
 * be read.
 */
export function ruleFor({ element, property, value }: Declaration): Pick<HidingCause, 'rule' | 'stylesheet'> {
  const inline = (element as HTMLElement).style?.getPropertyValue(property) ?? ''
  const root = element.getRootNode() as Document | ShadowRoot
  const sheets = [...root.styleSheets, ...root.adoptedStyleSheets]
  const rules = sheets.slice(0, 200).flatMap((sheet) => declaringRules(sheet, { element, property }))
  const exact = rules.filter(({ style }) => style.getPropertyValue(property) === value)
  const candidates = exact.length > 0 ? exact : rules
  const important = candidates.findLast(({ style }) => style.getPropertyPriority(property) === 'important')
  if (important === undefined && inline !== '') return { rule: 'style attribute', stylesheet: null }
  const rule = important ?? candidates.at(-1)
  if (rule === undefined) {
    const isAttribute = property === 'display' && element.hasAttribute('hidden')
    return { rule: isAttribute ? 'hidden attribute' : null, stylesheet: null }
  }
  return {
    rule: rule.selectorText.slice(0, 200),
    stylesheet: (rule.parentStyleSheet?.href ?? '<style>').slice(0, 300)
  }
}

/** The rules of a style sheet that apply to an element and declare a property, up to 10,000 rules. */
export function declaringRules(
  sheet: CSSStyleSheet,
  { element, property }: Pick<Declaration, 'element' | 'property'>
): CSSStyleRule[] {
  const found: CSSStyleRule[] = []
  let left = 10_000
  const visit = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (left-- <= 0) return
      if (rule instanceof CSSStyleRule) {
        if (rule.style.getPropertyValue(property) !== '' && matchesSafely(element, rule.selectorText)) found.push(rule)
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet !== null) found.push(...declaringRules(rule.styleSheet, { element, property }))
      } else if (rule instanceof CSSMediaRule) {
        if (matchMedia(rule.conditionText).matches) visit(rule.cssRules)
      } else if (rule instanceof CSSGroupingRule) visit(rule.cssRules)
    }
  }
  try {
    if (!sheet.disabled && matchMedia(sheet.media.mediaText).matches) visit(sheet.cssRules)
  } catch {
    return [] // The style sheet of another host.
  }
  return found
}

/** Nested rules have selectors that mean nothing without their parents. */
export function matchesSafely(element: Element, selector: string): boolean {
  try {
    return element.matches(selector)
  } catch {
    return false
  }
}
