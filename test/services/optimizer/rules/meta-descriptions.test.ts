import t from 'tap'
import { pixelWidth } from '../../../../services/optimizer/rules/shorten.ts'
import { runRules } from './fixtures.ts'

const FIRST =
  'Everything in our shop is made with care by people ' + 'who know their craft and love what they do every single day.'
const SECOND =
  'The oak table has room for six people and comes apart without tools, ' +
  'so that it can be carried through narrow doors.'

function inRange(text: string): boolean {
  return text.length >= 121 && text.length <= 156 && pixelWidth(text, 14) <= 920
}

t.test('the sentences that cover the title best are selected', async (t) => {
  const {
    metaDescription: [text = '']
  } = runRules({ title: 'Oak table', description: `${FIRST} ${SECOND} It is oiled twice.` })
  t.equal(text, `${SECOND} It is oiled twice.`)
  t.ok(inRange(text))
})

t.test(
  'a sufficient text gives 121–156 characters and at most 920 px, ending at a sentence, clause or word',
  async (t) => {
    const texts = [
      FIRST + ' ' + SECOND,
      'A table of oak, '.repeat(40),
      'oak table '.repeat(60),
      `${'Room for six people, oiled by hand. '.repeat(3)}${SECOND}`,
      '<p>An oak table.</p>'.repeat(30),
      'Der Tisch aus massiver Eiche hat Platz für sechs Personen; ' +
        'die Beine lassen sich ohne Werkzeug abnehmen, und die geölte Oberfläche ist leicht zu reinigen.',
      'Дубовый стол на шесть человек, ножки снимаются без инструмента. '.repeat(4)
    ]
    for (const description of texts) {
      const {
        metaDescription: [text = '']
      } = runRules({ title: 'Oak table', description })
      t.ok(inRange(text), `${text.length} characters, ${pixelWidth(text, 14)} px: ${text}`)
      t.match(text, /[.…]$/)
    }
  }
)

t.test('in wide scripts a description has 61 to 80 characters and at most 920 pixels', async (t) => {
  const {
    metaDescription: [text = '']
  } = runRules({
    title: '浴衣',
    locale: 'ja',
    description:
      'この浴衣は京都の職人が手で染めた綿の布で作られています。' +
      '夏の夜の散歩や花火大会にぴったりの涼しい一着です。洗濯機で洗うことができ、色落ちしません。'
  })
  t.ok(text.length >= 61 && text.length <= 80 && pixelWidth(text, 14) <= 920, `${text.length}: ${text}`)
})

t.test('a short text is extended with product data only', async (t) => {
  const product = {
    title: 'Oak Table',
    brand: 'Lanternhill',
    category: 'House > Tables',
    attributes: { Color: 'natural', Width: '180 cm' },
    price: '99.90',
    currency: 'EUR',
    availability: 'in_stock' as const
  }
  t.equal(
    runRules({ ...product, description: 'Made to last.' }).metaDescription[0],
    'Oak Table. Made to last. Lanternhill. Color: natural, Width: 180 cm. House › Tables.'
  )
  t.equal(
    runRules(product).metaDescription[0],
    'Oak Table. Lanternhill. Color: natural, Width: 180 cm. House › Tables.'
  )
  t.equal(runRules({ title: 'Oak Table' }).metaDescription[0], 'Oak Table.')
})

t.test('prices, addresses, telephone numbers and emoji are removed', async (t) => {
  const {
    metaDescription: [text = '']
  } = runRules({
    title: 'Oak table',
    description:
      'Now only 99 €! Call +49 30 1234567. See www.shop.example for more. Write to me@shop.example. ' + `🎉 ${SECOND}`
  })
  t.equal(text, SECOND)
})

t.test('a conflicting description begins with the title and a distinguishing part', async (t) => {
  const { metaDescription } = runRules(
    { title: 'Oak table', sku: 'T-1', attributes: { Color: 'dark' }, description: `${FIRST} ${SECOND}` },
    {},
    3
  )
  t.match(metaDescription[1], /^Oak table – dark\. The oak table has room/)
  t.match(metaDescription[2], /^Oak table – T-1\. /)
  for (const text of metaDescription) {
    t.ok(inRange(text), `${text.length} characters, ${pixelWidth(text, 14)} px: ${text}`)
  }
})

t.test('the page description is the full text without markup, and the image is the first one', async (t) => {
  t.equal(
    runRules({ title: 'x', description: '<h2>Oak</h2><p>Solid.</p><script>x</script>' }).pageDescription,
    'Oak\n\nSolid.'
  )
  t.equal(
    runRules({ title: 'x', imageUrl: 'https://a.example/1', images: ['https://a.example/2'] }).imageUrl,
    'https://a.example/1'
  )
  t.equal(runRules({ title: 'x', images: ['https://a.example/2'] }).imageUrl, 'https://a.example/2')
  t.equal(runRules({ title: 'x' }).imageUrl, '')
  t.equal(runRules({ title: 'x' }).pageDescription, '')
})
