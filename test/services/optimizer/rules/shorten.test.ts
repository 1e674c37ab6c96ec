import t from 'tap'
import { pixelWidth } from '../../../../services/optimizer/rules/shorten.ts'

t.test('the width of a line is its width in Arial', async (t) => {
  // By the widths in Adobe's font metrics of Helvetica, which Arial shares, in thousandths of the
  // size.
  const cases: [string, number][] = [
    ['', 0],
    ['i', 222],
    ['W', 944],
    ['Hello World', 5167],
    ['0123456789', 5560],
    ['Straße', 3001],
    ['é', 556],
    ['…', 1000],
    ['—', 1000],
    ['–', 556],
    ['€', 556],
    ['|', 260],
    ['@', 1015],
    ['™', 1000]
  ]
  for (const [text, thousandths] of cases) {
    t.ok(Math.abs(pixelWidth(text, 20) - (thousandths * 20) / 1000) < 0.15, `${text}: ${pixelWidth(text, 20)} px`)
  }
  t.equal(pixelWidth('Hello World', 14), pixelWidth('Hello World', 20) * 0.7)
})

t.test('wide characters are as wide as the font is high, marks take no room', async (t) => {
  const cases: [string, number][] = [
    ['東京', 40],
    ['ひらカナ', 80],
    ['한국', 40],
    ['ＡＢ', 40],
    ['🎉', 20],
    ['\u0301', 0],
    ['\u200b', 0],
    ['สี', 10]
  ]
  for (const [text, px] of cases) t.equal(pixelWidth(text, 20), px, text)
  t.equal(pixelWidth('e\u0301', 20), pixelWidth('e', 20))
})

t.test('Greek, Cyrillic and Central European letters are measured, not guessed', async (t) => {
  for (const letter of 'αβγΩабвЖŁőščğİ') t.ok(pixelWidth(letter, 20) > 3 && pixelWidth(letter, 20) < 20, letter)
})
