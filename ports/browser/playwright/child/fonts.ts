import type { Browser } from 'playwright'

/** Scripts that systems often lack a font for, by Unicode name, with a sample letter. */
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

/** The scripts of `SAMPLES` that occur in a text. */
export const scriptsIn = (text: string): string[] =>
  Object.keys(SAMPLES).filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text))

/**
 * The scripts that no font of this machine covers: their letters render like U+10FFFE, which no font
 * covers.
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
      const missing = draw('\\u{10FFFE}')
      const samples = Object.entries(${JSON.stringify(SAMPLES)})
      return samples.filter(([, letter]) => draw(letter) === missing).map(([script]) => script)
    })()`)
  } finally {
    await context.close()
  }
}
