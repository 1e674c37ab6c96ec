/// <reference lib="dom" />
import type { CssSnapshot } from '../../port/page-snapshot.ts'

/** Of so many elements a rule is looked at, the first ones. */
export function checkCss({
  css,
  own,
  root,
  present
}: {
  css: string
  own: Document
  root: Element /** Elements of ours whose text is in the page. */
  present: Element[]
}): CssSnapshot {
  const ELEMENTS = 3
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
    // States of a pointer, and what is drawn before and after, cannot be forced inline.
    if (/:(?!not|is|where|nth|first|last|only|root|empty)/.test(rule.selectorText)) continue
    const ours = ownElements(own, rule.selectorText)
    const elements = elementsFor(rule.selectorText, root).slice(0, ELEMENTS)
    // Where the text is missing as well, that is told, and no fault of the style.
    const isExpected =
      elements.length > 0 || ours.some((one) => present.some((text) => one.contains(text) || text.contains(one)))
    if (ours.length === 0 || !isExpected) continue
    for (const property of rule.style) {
      if (property.startsWith('--')) continue
      const wanted = { property, value: rule.style.getPropertyValue(property) }
      // What would be so without our CSS tells nothing of it.
      if (elements.length > 0 && elements.every((element) => isDefaultValue(element as HTMLElement, wanted))) continue
      fact.declarations += 1
      const broken = elements.find(
        (element) =>
          !isApplied(element as HTMLElement, wanted) &&
          !isOverriddenByOwnRule(element as HTMLElement, { property, rule, rules })
      )
      if (elements.length > 0 && broken === undefined) fact.applied += 1
      else note(rule, property, broken ? getComputedStyle(broken).getPropertyValue(property) : null)
    }
  }
  return fact
}

/**
 * Whether another rule of ours gives the property its value on this element: that one is in force,
 * as our cascade wants it.
 */
export function isOverriddenByOwnRule(
  element: HTMLElement,
  { property, rule, rules }: { property: string; rule: CSSStyleRule; rules: CSSStyleRule[] }
): boolean {
  const rivals = rules.filter(
    (other) => other !== rule && other.style.getPropertyValue(property) !== '' && element.matches(other.selectorText)
  )
  return rivals.some((other) => isApplied(element, { property, value: other.style.getPropertyValue(property) }))
}

/** The rules of a style sheet that apply in this viewport. */
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

/** Elements of ours that a selector fits; none where the browser does not know the selector. */
export function ownElements(document: Document, selector: string): Element[] {
  try {
    return [...document.querySelectorAll(selector)]
  } catch {
    return []
  }
}

/**
 * Elements in and around the article that a selector fits; ours may name the element that the site
 * puts our HTML in.
 */
export function elementsFor(selector: string, root: Element): Element[] {
  const scope = root.getRootNode() as Document | ShadowRoot
  return [...scope.querySelectorAll(selector)].filter((element) => root.contains(element) || element.contains(root))
}

/**
 * Whether a declaration is in force on an element: then its computed value stays as it is when the
 * declaration is forced.
 */
export const isApplied = (element: HTMLElement, { property, value }: { property: string; value: string }): boolean =>
  getComputedStyle(element).getPropertyValue(property) === forcedValue(element, { property, value })

/**
 * Whether the browser's own style or the surroundings give an element what a declaration wants, and
 * it has it.
 */
export function isDefaultValue(
  element: HTMLElement,
  { property, value }: { property: string; value: string }
): boolean {
  const wanted = forcedValue(element, { property, value })
  return (
    wanted === forcedValue(element, { property, value: 'revert' }) &&
    wanted === getComputedStyle(element).getPropertyValue(property)
  )
}

/** The computed value of a property while it is forced. */
export function forcedValue(element: HTMLElement, { property, value }: { property: string; value: string }): string {
  const [old, priority] = [element.style.getPropertyValue(property), element.style.getPropertyPriority(property)]
  element.style.setProperty(property, value, 'important')
  const forced = getComputedStyle(element).getPropertyValue(property)
  if (old === '') element.style.removeProperty(property)
  else element.style.setProperty(property, old, priority)
  return forced
}
