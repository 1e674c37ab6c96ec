import type { Browser } from 'playwright'

/**
 * Scripts that a system often has no font for, by the name that Unicode gives them, and a letter of
 * each.
 */
const SAMPLES = {
  Arabic: 'ع',
  Hebrew: 'ש',
  Han: '永',
  Hiragana: 'あ',
  Katakana: 'ア',
  Hangul: '한',
  Devanagari: 'क',
  Bengali: 'ক',
  Tamil: 'க',
  Thai: 'ก',
  Georgian: 'ქ',
  Armenian: 'Ք',
  Ethiopic: 'ሀ',
  Greek: 'Ω',
  Cyrillic: 'Ж'
} as const

/** The scripts of a text that are asked about. */
export const scriptsIn = (text: string): string[] =>
  Object.keys(SAMPLES).filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text))

/**
 * Which scripts this machine has no font for: their letters are drawn as the box that stands for a
 * letter which nobody has.
 */
export async function findMissingScripts(browser: Browser): Promise<string[]> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    return await page.evaluate(`(() => {
      const context = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true })
      const draw = (letter) => {
        context.clearRect(0, 0, 64, 64)
        context.font = '40px sans-serif'
        context.fillText(letter, 4, 48)
        return context.getImageData(0, 0, 64, 64).data.join()
      }
      const nobodys = draw('\\u{10FFFE}')
      return Object.entries(${JSON.stringify(SAMPLES)}).filter(([, letter]) => draw(letter) === nobodys).map(([script]) => script)
    })()`)
  } finally {
    await context.close()
  }
}
