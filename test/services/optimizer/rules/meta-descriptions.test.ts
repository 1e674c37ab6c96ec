import t from 'tap'
import { pixelWidth } from '../../../../services/optimizer/rules/shorten.ts'
import { runRules } from './fixtures.ts'

const FIRST =
  'Everything in our shop is made with care by people ' + 'who know their craft and love what they do every single day.'
const SECOND =
  'The oak table has room for six people and comes apart without tools, ' +
  'so that it can be carried through narrow doors.'

function inRange(text: string): boolean {
  return text.length >= 70 && text.length <= 156 && pixelWidth(text, 14) <= 920
}

const describe = (fields: Parameters<typeof runRules>[0]) => runRules(fields).metaDescription[0]!

t.test('the sentences that say most on the product are selected', async (t) => {
  const text = describe({ title: 'Oak table', description: `${FIRST} ${SECOND} It is oiled twice.` })
  t.equal(text, `${SECOND} It is oiled twice.`)
  t.ok(inRange(text))
})

t.test('a text is shortened to whole sentences of 70 to 156 characters and at most 920 px', async (t) => {
  const texts: [title: string, description: string, expected: string | RegExp][] = [
    [
      'Oak table',
      'This oak table with its six drawers is a calm place for letters, drawings and long evenings, ' +
        'which makes it ideal for writers who would rather not own a computer at all.',
      'This oak table with its six drawers is a calm place for letters, drawings and long evenings.'
    ],
    [
      'Esstisch',
      'Der Tisch aus massiver Eiche hat Platz für sechs Personen; die Beine lassen sich ohne Werkzeug abnehmen, ' +
        'und die geölte Oberfläche ist nach jedem Essen mit einem feuchten Tuch schnell und leicht zu reinigen.',
      'Der Tisch aus massiver Eiche hat Platz für sechs Personen; die Beine lassen sich ohne Werkzeug abnehmen.'
    ],
    [
      'Стол',
      'Дубовый стол на шесть человек, ножки снимаются без инструмента. '.repeat(4),
      'Дубовый стол на шесть человек, ножки снимаются без инструмента.'
    ],
    ['Oak table', 'oak table '.repeat(60), /^oak table .*…$/]
  ]
  for (const [title, description, expected] of texts) {
    const text = describe({ title, description })
    if (typeof expected === 'string') t.ok(text.startsWith(expected) || text.endsWith(expected), text)
    else t.match(text, expected)
    t.ok(text.length <= 156 && pixelWidth(text, 14) <= 920, `${text.length}: ${text}`)
    if (typeof expected === 'string') t.notMatch(text, /…/)
  }
})

t.test('in wide scripts a description has 35 to 80 characters and at most 920 pixels', async (t) => {
  const text = describe({
    title: '浴衣',
    locale: 'ja',
    description:
      'この浴衣は京都の職人が手で染めた綿の布で作られています。' +
      '夏の夜の散歩や花火大会にぴったりの涼しい一着です。洗濯機で洗うことができ、色落ちしません。'
  })
  t.ok(text.length >= 35 && text.length <= 80 && pixelWidth(text, 14) <= 920, `${text.length}: ${text}`)
})

t.test('a short text is not padded; without a text, the attributes make a phrase', async (t) => {
  const product = {
    title: 'Oak Table',
    brand: 'Lanternhill',
    sku: 'T-1000',
    category: 'house > dining-tables',
    attributes: { Color: 'Natural', Width: '180 cm' },
    price: '99.90',
    currency: 'EUR',
    availability: 'in_stock' as const
  }
  t.equal(describe({ ...product, description: 'Made to last.' }), 'Oak Table: Made to last.')
  t.equal(describe(product), 'Oak Table by Lanternhill in natural, 180 cm wide.')
  t.equal(describe({ ...product, attributes: {} }), 'Oak Table by Lanternhill in the category Dining tables.')
  t.equal(describe({ title: 'Oak Table' }), 'Oak Table.')
})

t.test('a phrase of attributes follows the language of the product', async (t) => {
  const cases: [locale: string, title: string, attributes: Record<string, string>, expected: string][] = [
    ['de', 'Esstisch', { Farbe: 'Natur', Material: 'Eiche' }, 'Esstisch von Alba in Natur, aus Eiche.'],
    ['fr', 'Table', { Couleur: 'Noir', Matière: 'Chêne' }, 'Table de la marque Alba coloris noir, en chêne.'],
    ['es', 'Mesa', { Color: 'Negro', Material: 'Roble' }, 'Mesa de Alba en color negro, de roble.'],
    ['ja', 'テーブル', { カラー: '黒', 素材: 'オーク' }, 'Albaのテーブル。カラーは黒、素材はオークです。'],
    ['ar', 'طاولة', { اللون: 'الأسود', المادة: 'خشب' }, 'طاولة من Alba باللون الأسود، من خشب.']
  ]
  for (const [locale, title, attributes, expected] of cases) {
    t.equal(describe({ title, locale, brand: 'Alba', attributes }), expected)
  }
})

t.test('notes of the shop, labels, identifiers, badges and praise are left out', async (t) => {
  const text = describe({
    title: 'Canvas Tote Bag',
    sku: 'TOTE-4711',
    brand: 'Alba',
    description:
      '<h3>Description</h3><p>★ NEW ★</p><p>FREE SHIPPING!!! A must-have! The tote bag holds a laptop and a week of ' +
      'groceries. Ref. TOTE-4711 is in stock.</p><table><tr><td>Weight</td><td>50 g</td></tr></table>' +
      '<p>Alba</p><p>Please note: colors may vary. Order today!</p><p>Its wide straps do not slip off the shoulder.</p>'
  })
  t.equal(text, 'The tote bag holds a laptop and a week of groceries. Its wide straps do not slip off the shoulder.')
})

t.test('words of notices and advertising that describe the product are not left out', async (t) => {
  const sentences = [
    'The puppy food is formulated to meet the needs of growing dogs of large breeds.',
    'These crunchy oat cookies are baked with real butter and dark chocolate from Ghana.',
    'The baby mobile with soft moons and stars turns slowly above the bed for ten minutes.',
    'The speaker has a protection rating of IP67 and stays dry at the beach and in the rain.',
    'The watch counts your steps and supports contactless payment in shops and on buses.',
    'The compact desk is made for anyone looking for a quiet place to work in a small room.',
    'The garden office is built from a shipping container and insulated with cork on all sides.',
    'The pen opens with a soft click and writes two kilometers with a single refill.',
    'The screen protects your privacy on trains: seen from the side, it turns dark.'
  ]
  for (const description of sentences) {
    const text = describe({ title: 'Item', description })
    t.ok(text.endsWith(description.slice(5)), `${description} → ${text}`)
  }
  const notices = [
    'Meet the new standard in comfort!',
    'Tired of cold coffee on your way to work?',
    'This website uses cookies to improve your visit.',
    'Please enable JavaScript to see all pictures.',
    'Rated 4.8 stars by thousands of happy people.',
    'Click here for more of our products.',
    'Choose one of the payment methods at checkout.',
    'Standard shipping takes three to five days.'
  ]
  const statement = 'The mug is made of white stoneware, holds 300 ml and fits under every coffee machine.'
  for (const notice of notices) t.equal(describe({ title: 'Mug', description: `${notice} ${statement}` }), statement)
  t.equal(
    describe({
      title: 'Tasse',
      locale: 'de',
      description:
        'Diese Website verwendet Cookies. Die Tasse aus weißem Steingut fasst 300 ml und hält Tee lange warm.'
    }),
    'Die Tasse aus weißem Steingut fasst 300 ml und hält Tee lange warm.'
  )
})

t.test('list items become one sentence, and rows of a table phrases', async (t) => {
  t.equal(
    describe({
      title: 'Canvas Tote Bag',
      description: '<ul><li>100% organic cotton</li><li>Machine washable</li><li>Big enough for A4 folders</li></ul>'
    }),
    'Canvas Tote Bag: 100% organic cotton, machine washable and big enough for A4 folders.'
  )
  t.equal(
    describe({
      title: 'Stool',
      description: '<table><tr><td>Material</td><td>Beech</td></tr><tr><td>Height</td><td>45 cm</td></tr></table>'
    }),
    'Stool, made of beech, 45 cm high.'
  )
})

t.test(
  'a sentence about "it" names the product at the beginning, and never comes without its antecedent',
  async (t) => {
    const text = describe({
      title: 'Alba Rain Jacket – olive',
      description: 'However, nothing beats a dry day. It packs down into its own chest pocket.'
    })
    t.equal(text, 'Alba Rain Jacket: It packs down into its own chest pocket.')
    t.equal(
      describe({ title: 'Alba Rain Jacket', description: 'It packs down into its own chest pocket.' }),
      'The Alba Rain Jacket packs down into its own chest pocket.'
    )
    t.notMatch(
      describe({
        title: 'The Salt Roads',
        description: 'Two smugglers cross the ice. They find a letter that starts a war.'
      }),
      /The Salt Roads find/
    )
    t.match(
      describe({ title: 'Hiking Boots', description: 'It keeps feet dry in deep snow.' }),
      /^Hiking Boots: It keeps/
    )
  }
)

t.test('words in all capitals are written small, except for names and abbreviations', async (t) => {
  t.equal(
    describe({
      title: 'Alba USB Lamp',
      brand: 'Alba',
      description: 'THE ALBA USB LAMP LIGHTS A WHOLE DESK AND RUNS ON ANY LAPTOP!!!'
    }),
    'The Alba USB Lamp lights a whole desk and runs on any laptop.'
  )
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

t.test('further candidates combine other sentences, or begin with a distinguishing part', async (t) => {
  const { metaDescription } = runRules(
    { title: 'Oak table', sku: 'T-1', attributes: { Color: 'dark' }, description: `${FIRST} ${SECOND}` },
    { siblings: [{ id: 'other', attributes: { Color: 'light' } }] },
    4
  )
  t.equal(new Set(metaDescription).size, metaDescription.length)
  t.ok(
    metaDescription.some((text) => text.startsWith('Oak table (dark): The oak table has room')),
    metaDescription.join('\n')
  )
  for (const text of metaDescription) {
    t.ok(inRange(text), `${text.length} characters, ${pixelWidth(text, 14)} px: ${text}`)
    t.notMatch(text, /T-1|…/)
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

t.test('headings and what follows headings such as "In the box" are left out', async (t) => {
  t.equal(
    describe({
      title: 'Storm Lantern',
      description:
        'Description\nThe lantern burns for 40 hours on one filling and withstands a strong wind.\n' +
        'Features\nBrass burner\n' +
        'Hinged glass\nIn the box\nLantern, two wicks, funnel\nManual in six languages'
    }),
    'The lantern burns for 40 hours on one filling and withstands a strong wind.'
  )
  t.equal(
    describe({
      title: 'Sturmlaterne',
      locale: 'de',
      description:
        'Eigenschaften:\nBrenner aus Messing\nGehäuse aus Glas\nLieferumfang:\nLaterne, zwei Dochte, Trichter'
    }),
    'Sturmlaterne: Brenner aus Messing und Gehäuse aus Glas.'
  )
})

t.test('a line with its own heading is read without it', async (t) => {
  t.equal(
    describe({
      title: 'Desk Fan',
      description: '【Quiet at night】The desk fan runs at 21 decibels and turns itself off after four hours.'
    }),
    'The desk fan runs at 21 decibels and turns itself off after four hours.'
  )
  t.equal(
    describe({
      title: 'Desk Fan',
      description: '★ QUIET AT NIGHT ★ The desk fan runs at 21 decibels and turns itself off after four hours.'
    }),
    'The desk fan runs at 21 decibels and turns itself off after four hours.'
  )
  t.equal(
    describe({
      title: 'スポンジ',
      description: 'スポンジは泡立ちがよく、すぐに乾きます。\n【サイズ】約12×8cm\n【素材】セルロース'
    }),
    'スポンジは泡立ちがよく、すぐに乾きます。'
  )
})

t.test('rows of data, instructions and warnings are not part of a description', async (t) => {
  const sentence = 'The bench seats three and stands on cast iron feet.'
  for (const other of [
    'W 150 x D 60 x H 85 cm.',
    'EN 581-2: 2015.',
    'Colors: oak, walnut, ash, and white on request.',
    'Never leave the bench outdoors in winter.',
    'Always wear gloves when you lift it.',
    'Screws are not included.',
    'Price is per pair of benches.',
    '※ The bench is sold in one piece.',
    '"The best bench that I ever sat on." – Garden Weekly',
    '“My neighbors want the same bench.”'
  ]) {
    t.equal(describe({ title: 'Garden Bench', description: `${sentence} ${other}` }), sentence, other)
  }
  t.equal(
    describe({
      title: 'Gartenbank',
      description: 'Die Gartenbank steht auf Füßen aus Gusseisen. Bitte im Winter abdecken.'
    }),
    'Die Gartenbank steht auf Füßen aus Gusseisen.'
  )
  t.equal(
    describe({ title: 'Banc', description: 'Le banc repose sur des pieds en fonte. Ne pas laisser dehors en hiver.' }),
    'Le banc repose sur des pieds en fonte.'
  )
})

t.test('a text in capitals keeps the name, abbreviations and units, and no other word of the title', async (t) => {
  t.equal(
    describe({
      title: 'Compact Winch Drum 12V',
      description: 'COMPACT WINCH WITH A STEEL DRUM FOR BOATS UP TO 900KG. RUNS ON 12 V AND HAS AN LED ON THE REMOTE.'
    }),
    'Compact Winch with a steel drum for boats up to 900kg. Runs on 12 V and has an LED on the remote.'
  )
})

t.test('colors, audiences and codes at the end of a title are not what the product is', async (t) => {
  const description = 'This scooter folds in one step and weighs 2.9 kg, so a child can carry it up the stairs.'
  for (const [title, attributes] of [
    ['City Scooter Blue', { Color: 'Blue' }],
    ['City Scooter Kids', {}],
    ['City Scooter "Flitzer" XQR', {}]
  ] as [string, Record<string, string>][]) {
    t.equal(describe({ title, attributes, description }), description, title)
  }
})

t.test('of a placeholder, nothing is taken', async (t) => {
  t.equal(
    describe({
      title: 'Bird House',
      attributes: { Material: 'Cedar' },
      description: 'Lorem ipsum dolor sit amet. Sed do eiusmod tempor incididunt ut labore.'
    }),
    'Bird House, made of cedar.'
  )
})

t.test('a sentence with a pronoun for the product follows the name of the product', async (t) => {
  t.equal(
    describe({
      title: 'Alba Kettle',
      description: 'Thanks to a thick base, it heats a liter of water within three minutes.'
    }),
    'Alba Kettle: Thanks to a thick base, it heats a liter of water within three minutes.'
  )
  t.equal(
    describe({
      title: 'Alba Kettle',
      description: 'Limescale cannot harm it, because the inner surface is enameled twice.'
    }),
    'Alba Kettle: Limescale cannot harm it, because the inner surface is enameled twice.'
  )
})
