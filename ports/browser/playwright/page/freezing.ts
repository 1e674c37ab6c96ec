/// <reference lib="dom" />
import { everyElement } from './tree.ts'

/**
 * Ends what moves, and lets every layer be hit; returns what puts all back. A sheet that is adopted
 * needs no leave of the page's content security policy.
 */
export function freeze({
  opensDetails
}: {
  /** Our own text has parts that a reader opens. */ opensDetails: boolean
}): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; pointer-events: auto !important; caret-color: transparent !important }'
  )
  document.adoptedStyleSheets.push(sheet)
  for (const animation of document.getAnimations()) {
    const { endTime } = animation.effect?.getComputedTiming() ?? {}
    try {
      if (endTime === Infinity) animation.cancel()
      else animation.finish()
    } catch {
      animation.cancel() // One that runs backwards for ever cannot be finished.
    }
  }
  // What a browser puts off drawing until it comes near could not be hit.
  const putOff = (everyElement('*') as HTMLElement[])
    .filter((element) => getComputedStyle(element).contentVisibility === 'auto')
    .map((element) => ({ element, own: element.style.contentVisibility }))
  for (const { element } of putOff) element.style.contentVisibility = 'visible'
  const closed = opensDetails ? everyElement('details:not([open])') : []
  for (const details of closed) details.setAttribute('open', '')
  return () => {
    for (const details of closed) details.removeAttribute('open')
    for (const { element, own } of putOff) element.style.contentVisibility = own
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
