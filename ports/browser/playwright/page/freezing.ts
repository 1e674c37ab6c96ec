/// <reference lib="dom" />

/** Ends what moves, and lets every layer be hit; returns what puts all back. A sheet that is adopted needs no leave of the page's content security policy. */
export function freeze (): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; pointer-events: auto !important; caret-color: transparent !important }')
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
  return () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet) }
}
