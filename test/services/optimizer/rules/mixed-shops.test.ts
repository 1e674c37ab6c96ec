import { readFileSync } from 'node:fs'
import t from 'tap'
import type { ProductRecord } from '../../../../ports/store/port.ts'
import { runRules } from './fixtures.ts'

type Source = Pick<ProductRecord, 'title' | 'description'> & Partial<ProductRecord>

/** Sources of many kinds, languages and styles, which were written before the rules were run on them. */
const SOURCES = ['mixed-shops-1', 'mixed-shops-2', 'mixed-shops-3'].flatMap(
  (name) =>
    JSON.parse(readFileSync(new URL(`../../../data/product-sources/${name}.json`, import.meta.url), 'utf8')) as Source[]
)
/** What no editor publishes, in any of these texts. */
const UNPUBLISHABLE: [problem: string, pattern: RegExp][] = [
  ['is cut', /…|\.\.\./],
  ['has no end', /[^.。]$/u],
  ['begins with a small letter', /^\p{Ll}/u],
  ['contains markup or symbols', /[<>★✨•|※【】]|&\w+;/u],
  ['contains a heading', /\b(?:description|features|in the box|how to use|lieferumfang|caractéristiques)\b/iu],
  ['is about the order', /\b(?:shipping|contact us|envío gratis|livraison|please|returns?)\b|送料|توصيل/iu],
  ['is an instruction or a warning', /\b(?:never work|do not|ne pas|appliquer|always check)\b/iu],
  ['is a placeholder', /lorem|eiusmod/i],
  ['has all caps', /\p{Lu}{5,} \p{Lu}{5,}/u],
  ['is a row of data', /\bW \d|: \d+ ?(?:mm|cm)(?:[.,;]|$)/u]
]

t.test('descriptions of mixed shops contain nothing that an editor rejects', async (t) => {
  t.ok(SOURCES.length > 80)
  for (const source of SOURCES) {
    const [text] = runRules(source).metaDescription
    const problems = UNPUBLISHABLE.filter(([, pattern]) => pattern.test(text!)).map(([problem]) => problem)
    t.same(problems, [], `${source.title}: ${text}`)
    t.ok(text!.length <= 156 && text!.length > 25, source.title)
  }
})

t.test('titles of mixed shops are cut at the end of a remark, or have a short ellipsis', async (t) => {
  const titles = SOURCES.map((source) => runRules(source).metaTitle[0]!)
  t.equal(titles.filter((title) => title.includes('…')).length, 1)
})
