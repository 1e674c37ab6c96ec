import t from 'tap'
import { pixelWidth } from '../../../../services/optimizer/rules/shorten.ts'
import { runRules } from './fixtures.ts'

t.test('the page title is the cleaned product title', async (t) => {
  const cases: [string, string][] = [
    ['Oak Table', 'Oak Table'],
    ['  Salt &amp; <b>Pepper</b>  Mill ', 'Salt & Pepper Mill'],
    ['Oak Table - ', 'Oak Table'],
    ['Oak Table |', 'Oak Table'],
    ['– Oak Table –|', 'Oak Table'],
    ['Galaxy S10+', 'Galaxy S10+'],
    ['27" Monitor 5"', '27" Monitor 5"'],
    ['OAK TABLE FOR THE KITCHEN', 'Oak Table For The Kitchen'],
    ['USB CABLE 3M LED', 'USB Cable 3M LED'],
    ["ARC'TERYX JACKET", "Arc'teryx Jacket"],
    ['ЛАМПА НАСТОЛЬНАЯ', 'Лампа Настольная'],
    ['IPHONE', 'IPHONE'],
    ['iPHONE CASE', 'iPHONE CASE'],
    ['東京 夏', '東京 夏'],
    ['Mug\u202e\u0000 red', 'Mug red'],
    ['Wow!!!', 'Wow!']
  ]
  for (const [title, cleaned] of cases) t.equal(runRules({ title }).pageTitle[0], cleaned, title)
  t.equal(
    runRules({ title: 'JBL GO SPEAKER', brand: 'JBL' }).pageTitle[0],
    'JBL Go Speaker',
    'the brand keeps its spelling'
  )
  t.equal(runRules({ title: 'IŞIK LAMBA', locale: 'tr' }).pageTitle[0], 'Işık Lamba')
  t.equal(runRules({ title: '<b></b>', sku: 'T-1' }).pageTitle[0], 'T-1', 'an empty title is replaced by the sku')
})

t.test('a meta title ends with the brand or the category, unless the title already contains it', async (t) => {
  const all = { title: 'Oak Table', brand: 'Lanternhill', category: 'House > Tables' }
  t.equal(runRules(all, { brandName: 'Acme' }).metaTitle[0], 'Oak Table | Lanternhill')
  t.equal(runRules({ ...all, brand: null }, { brandName: 'Acme' }).metaTitle[0], 'Oak Table | Acme')
  t.equal(runRules({ ...all, brand: null }).metaTitle[0], 'Oak Table | Tables')
  t.equal(runRules({ ...all, title: 'LANTERNHILL Oak Table' }).metaTitle[0], 'LANTERNHILL Oak Table')
  t.equal(runRules({ ...all, title: 'Lantern hills' }).metaTitle[0], 'Lantern hills | Lanternhill')
  t.equal(runRules({ title: 'Oak Table' }).metaTitle[0], 'Oak Table')
})

t.test('a meta title contains only the attributes that distinguish a product from its siblings', async (t) => {
  const siblings = [{ id: 'other', attributes: { Color: 'Blue', Size: 'M' } }]
  t.equal(
    runRules({ title: 'Mug', brand: 'Acme', attributes: { Color: 'Red', Size: 'M' } }, { siblings }).metaTitle[0],
    'Mug – Red | Acme'
  )
  t.equal(
    runRules({ title: 'Red Mug', attributes: { Color: 'Red', Size: 'M' } }, { siblings }).metaTitle[0],
    'Red Mug',
    'an attribute in the title is not repeated'
  )
  t.equal(
    runRules({ title: 'Mug', attributes: { Color: 'Red', Size: 'M' } }).metaTitle[0],
    'Mug',
    'without siblings no attribute is added'
  )
})

t.test('no meta title is wider than 580 pixels, and the distinguishing parts are kept', async (t) => {
  const siblings = [{ id: 'other', attributes: {} }]
  for (const title of [
    'Oak '.repeat(40),
    'W'.repeat(400),
    '東京の夏'.repeat(50),
    'Donaudampfschifffahrtsgesellschaft '.repeat(6),
    'é'.repeat(200),
    '🎉'.repeat(80)
  ]) {
    const { metaTitle } = runRules(
      { title, brand: 'Lanternhill', sku: 'SKU-1', attributes: { Color: 'Red' } },
      { siblings },
      10
    )
    for (const text of metaTitle) {
      t.ok(
        pixelWidth(text, 20) <= 580 && pixelWidth(text, 20) > 300 && text.isWellFormed(),
        `${text}: ${pixelWidth(text, 20)}`
      )
    }
    t.match(metaTitle[0], /… – Red( \| Lanternhill)?$/u)
    t.match(metaTitle[1], /… – Red, SKU-1( \| Lanternhill)?$/u)
  }
})

t.test('a title is cut after a word', async (t) => {
  t.match(
    runRules({ title: 'Handmade oak table for the kitchen with room for six people and two drawers' }).metaTitle[0],
    /^Handmade oak table for the kitchen with room for six( people)?…$/
  )
})

t.test('all candidates are different, and the last one is unique', async (t) => {
  const { metaTitle, pageTitle } = runRules({ title: 'Mug', sku: 'T-1', attributes: { Color: 'Red' } }, {}, 20)
  for (const texts of [metaTitle, pageTitle]) {
    t.equal(new Set(texts).size, texts.length)
    t.same(texts.slice(0, 4), ['Mug', 'Mug – Red', 'Mug – T-1', 'Mug – ext-1'])
  }
  t.not(metaTitle.at(-1), runRules({ title: 'Mug', externalId: 'ext-2' }, {}, 20).metaTitle.at(-1))
})

t.test('remarks that do not fit are left out without an ellipsis', async (t) => {
  const { metaTitle } = runRules({
    title: 'Screen Recorder Pro 7 – Lifetime License for 3 Computers (Windows/Mac) [Download]'
  })
  t.equal(metaTitle[0], 'Screen Recorder Pro 7 – Lifetime License for 3 Computers')
})
