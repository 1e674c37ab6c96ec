/// <reference lib="dom" />
import type { CssSnapshot } from '../../../port/page-snapshot.ts'

/**
 * Checks each rule on its first elements. Computed values are read before a style is forced, each forced value once:
 * the browser computes the styles of an element and all of its descendants again after each change.
 */
export function checkCss({
  css,
  own,
  root,
  present
}: {
  css: string
  own: Document
  root: Element
  /** Elements of the blog whose text is in the page. */
  present: Element[]
}): CssSnapshot {
  const MAX_ELEMENTS = 3
  const fact: CssSnapshot = { declarations: 0, applied: 0, broken: [] }
  const note = (rule: CSSStyleRule, property: string, actual: string | null): void => {
    if (fact.broken.length < 40) {
      fact.broken.push({
        selector: rule.selectorText,
        property,
        expected: rule.style.getPropertyValue(property),
        actual
      })
    }
  }
  const rules = styleRulesOf(css)
  for (const rule of rules) {
    // Interaction states and pseudo-elements cannot be forced inline.
    if (/:(?!not|is|where|nth|first|last|only|root|empty)/.test(rule.selectorText)) continue
    const ours = ownElements(own, rule.selectorText)
    const elements = elementsFor(rule.selectorText, root).slice(0, MAX_ELEMENTS) as HTMLElement[]
    // If the text is missing too, another rule reports it.
    const isExpected =
      elements.length > 0 || ours.some((one) => present.some((text) => one.contains(text) || text.contains(one)))
    if (ours.length === 0 || !isExpected) continue
    for (const property of rule.style) {
      if (property.startsWith('--')) continue
      const wanted = { property, value: rule.style.getPropertyValue(property) }
      const shown = elements.map((element) => getComputedStyle(element).getPropertyValue(property))
      const forced: string[] = []
      const isSame = (element: HTMLElement, at: number): boolean =>
        shown[at] === (forced[at] ??= forcedValue(element, wanted))
      // A value that applies without the blog's CSS proves nothing: that of the browser's default style, or inherited.
      const isDefault = (element: HTMLElement, at: number): boolean =>
        isSame(element, at) && shown[at] === forcedValue(element, { property, value: 'revert' })
      if (elements.length > 0 && elements.every(isDefault)) continue
      fact.declarations += 1
      const broken = elements.findIndex(
        (element, at) => !isSame(element, at) && !isOverriddenByOwnRule(element, { property, rule, rules })
      )
      if (elements.length > 0 && broken < 0) fact.applied += 1
      else note(rule, property, shown[broken] ?? null)
    }
  }
  return fact
}

/** Whether another rule of the blog sets the property on this element, by the cascade. */
export function isOverriddenByOwnRule(
  element: HTMLElement,
  { property, rule, rules }: { property: string; rule: CSSStyleRule; rules: CSSStyleRule[] }
): boolean {
  const rivals = rules.filter(
    (other) => other !== rule && other.style.getPropertyValue(property) !== '' && element.matches(other.selectorText)
  )
  return rivals.some((other) => isApplied(element, { property, value: other.style.getPropertyValue(property) }))
}

/** The style rules of a style sheet that apply in this viewport. */
export function styleRulesOf(css: string): CSSStyleRule[] {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const rules: CSSStyleRule[] = []
  const walk = (list: CSSRuleList): void => {
    for (const rule of list) {
      if (rule instanceof CSSStyleRule) rules.push(rule)
      else if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue
      else if (rule instanceof CSSSupportsRule && !CSS.supports(rule.conditionText)) continue
      else if ('cssRules' in rule) walk(rule.cssRules as CSSRuleList)
    }
  }
  walk(sheet.cssRules)
  return rules
}

/** The blog's elements that match a selector. None if the browser does not support the selector. */
export function ownElements(document: Document, selector: string): Element[] {
  try {
    return [...document.querySelectorAll(selector)]
  } catch {
    return []
  }
}

/**
 * The elements in and around the article that match a selector. The blog's CSS may address the
 * element into which the site inserts the HTML.
 */
export function elementsFor(selector: string, root: Element): Element[] {
  const scope = root.getRootNode() as Document | ShadowRoot
  return [...scope.querySelectorAll(selector)].filter((element) => root.contains(element) || element.contains(root))
}

/** Whether a declaration is applied: forcing it does not change the computed value. */
export const isApplied = (element: HTMLElement, { property, value }: { property: string; value: string }): boolean =>
  getComputedStyle(element).getPropertyValue(property) === forcedValue(element, { property, value })

/** The computed value of a property while the declaration is forced inline. */
export function forcedValue(element: HTMLElement, { property, value }: { property: string; value: string }): string {
  const [old, priority] = [element.style.getPropertyValue(property), element.style.getPropertyPriority(property)]
  element.style.setProperty(property, value, 'important')
  const forced = getComputedStyle(element).getPropertyValue(property)
  if (old === '') element.style.removeProperty(property)
  else element.style.setProperty(property, old, priority)
  return forced
}
