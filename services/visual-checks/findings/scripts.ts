const share = (text: string, some: RegExp, others: RegExp): number => {
  const [a, b] = [text.match(some)?.length ?? 0, text.match(others)?.length ?? 0]
  return a + b === 0 ? 0 : a / (a + b)
}

/**
 * Whether the text is mostly of characters as wide as they are high (Chinese, Japanese, Korean): a
 * line of them holds half as many.
 */
export const isWideText = (text: string): boolean =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0) >
  text.length * 0.3

/** The share of letters that are written from right to left. */
export const rightToLeftShare = (text: string): number =>
  share(
    text,
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu,
    /(?![\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}])\p{L}/gu
  )

/** Whether a tenth or more of the letters is of one of these scripts, as Unicode names them. */
export function isWrittenIn(text: string, scripts: readonly string[]): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && scripts.some((script) => (text.match(letterOf(script))?.length ?? 0) >= letters * 0.1)
}

/** A name that this machine does not know stands for no letter. */
function letterOf(script: string): RegExp {
  try {
    return new RegExp(`\\p{Script=${script}}`, 'gu')
  } catch {
    return /(?!)/g
  }
}

/** From how many characters on a text is long enough to be known again by itself. */
export const isLong = (text: string, characters = 40): boolean =>
  text.length >= (isWideText(text) ? characters * 0.3 : characters)
