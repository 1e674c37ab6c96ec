/// <reference lib="dom" />
import { queryAllDeep } from './dom.ts'

/**
 * Ends animations and makes every layer hit-testable. Returns a function that restores the page. An
 * adopted style sheet is not subject to the page's content security policy. `opensDetails`: our own text has
 * parts that a reader opens.
 */
export function freezePage({ opensDetails }: { opensDetails: boolean }): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; ' +
      'pointer-events: auto !important; caret-color: transparent !important }'
  )
  document.adoptedStyleSheets.push(sheet)
  // Browsers do not hit-test content with content-visibility: auto outside of the viewport, and do not
  // start its animations.
  const putOff = (queryAllDeep('*') as HTMLElement[])
    .filter((element) => getComputedStyle(element).contentVisibility === 'auto')
    .map((element) => ({ element, own: element.style.contentVisibility }))
  for (const { element } of putOff) element.style.contentVisibility = 'visible'
  for (const animation of document.getAnimations()) {
    const { endTime } = animation.effect?.getComputedTiming() ?? {}
    try {
      if (endTime === Infinity || followsNothing(animation)) animation.cancel()
      else animation.finish()
    } catch {
      animation.cancel() // One that runs backwards for ever cannot be finished.
    }
  }
  const closed = opensDetails ? queryAllDeep('details:not([open])') : []
  for (const details of closed) details.setAttribute('open', '')
  return () => {
    for (const details of closed) details.removeAttribute('open')
    for (const { element, own } of putOff) element.style.contentVisibility = own
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}

/** Whether an animation follows the scrolling of a box with nothing to scroll, such as a hint at its edge. */
export function followsNothing({ timeline }: Animation): boolean {
  const MIN_SCROLL_PX = 2
  if (timeline === null || !('source' in timeline) || 'subject' in timeline) return false
  const { source } = timeline
  if (!(source instanceof Element) || source === document.scrollingElement) return false
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = source
  return Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight) < MIN_SCROLL_PX
}
