import t from 'tap'
import { eventually } from '../../../../fixtures/webhooks/receiver.ts'
import { client, startApp, type Client } from '../../../../helper.ts'

const PRODUCTS = '/api/v1/products'

const quote = (cell: string) => (/[",\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const csv = (...rows: string[][]) => rows.map((row) => `${row.map(quote).join(',')}\n`).join('')

/** Imports a file and waits until all its products are optimized. */
async function importFile(call: Client, file: string): Promise<void> {
  const answer = await call('POST', `${PRODUCTS}/imports?projectId=shop`, file, { 'content-type': 'text/csv' })
  await eventually(async () => {
    const record = (await call('GET', String(answer.headers.location))).json()
    if (record.failed > 0) throw new Error(JSON.stringify(record))
    const list = (await call('GET', `${PRODUCTS}?status=optimized`)).json()
    return record.status === 'done' && list.totalCount === record.total
  }, 'the optimization of all products')
}

async function exported(call: Client, query: string): Promise<string> {
  const answer = await call('GET', `${PRODUCTS}/export?projectId=shop&${query}`)
  t.match(answer.headers['content-type'], /^text\/csv/)
  return answer.body
}

const HEADER = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Option1 Name',
  'Option1 Value',
  'Variant SKU',
  'SEO Title',
  'SEO Description'
]
const MUG = 'The mug holds 300 ml and sits well in both hands. Its glaze survives the dishwasher.'

t.test('handles and SEO texts of a Shopify export are the same after import and export', async (t) => {
  const call = await client(await startApp(t))
  const written: string[][] = [
    ['old_Mug--2019', 'Stoneware Mug', ' Mugs,  "hand-thrown" | Acme ', 'Line one\nline two – ½ liter.'],
    ['テーブル', 'テーブル', 'Tische & Stu\u0308hle', ' '.repeat(2) + 'Ends with spaces  '],
    ['caf\u00e9-set', 'Cafe\u0301 Set', 'Café Set', 'x'.repeat(320)]
  ]
  const rows = [
    HEADER,
    ...written.map(([handle, title, seoTitle, seoDescription], i) => [
      handle!,
      title!,
      MUG,
      'Color',
      'Red',
      `S-${i}`,
      seoTitle!,
      seoDescription!
    ]),
    ['no-texts', 'Tea Mug', MUG, 'Title', 'Default Title', 'S-9', '', '']
  ]
  rows.splice(2, 0, ['old_Mug--2019', '', '', '', 'Blue', 'S-0b', '', ''])
  await importFile(call, csv(...rows))
  const file = await exported(call, 'format=shopify')
  t.equal(file.split('\r\n').length, 6, 'a header, one row for each page, and the end of the last row')
  for (const [handle, title, seoTitle, seoDescription] of written) {
    t.ok(
      file.includes(`${[handle!, title!.normalize('NFC'), seoTitle!, seoDescription!].map(quote).join(',')}\r\n`),
      handle!
    )
  }
  t.match(file, /no-texts,Tea Mug,Tea Mug,The mug holds 300 ml/)
  // The same file again, and an optimization by force, change nothing.
  await importFile(call, csv(...rows))
  await call('POST', `${PRODUCTS}/optimize`, { projectId: 'shop', force: true })
  await eventually(
    async () => (await call('GET', `${PRODUCTS}?status=optimized`)).json().totalCount === 5,
    'the optimization by force'
  )
  t.equal(await exported(call, 'format=shopify'), file)
})

t.test('a handle finds all variants of its page', async (t) => {
  const call = await client(await startApp(t))
  await importFile(
    call,
    csv(
      HEADER,
      ['mug', 'Stoneware Mug', MUG, 'Color', 'Red', 'R', '', ''],
      ['mug', '', '', '', 'Blue', 'B', '', ''],
      ['cup', 'Tea Cup', '', 'Title', 'Default Title', 'C', '', '']
    )
  )
  const { products } = (await call('GET', `${PRODUCTS}?handle=mug`)).json()
  t.strictSame(
    products.map(({ externalId, groupId, seo }: any) => [externalId, groupId, seo.handle, seo.pageTitle.value]),
    ['B', 'R'].map((id) => [id, 'mug', { value: 'mug', source: 'human' }, 'Stoneware Mug'])
  )
  t.equal((await call('GET', `${PRODUCTS}?handle=mu`)).json().totalCount, 0)
  t.equal((await call('GET', `${PRODUCTS}?groupId=mug`)).json().totalCount, 2)
  const id = products[0].id as string
  t.equal((await call('PATCH', `${PRODUCTS}/${id}`, { seo: { handle: 'mug' } })).statusCode, 200)
  t.equal((await call('PATCH', `${PRODUCTS}/${id}`, { seo: { handle: 'cup' } })).json().code, 'handle_taken')
})

t.test('WooCommerce texts of Yoast come back in its columns, and templates are no texts', async (t) => {
  const call = await client(await startApp(t))
  const [title, description] = ['Meta: _yoast_wpseo_title', 'Meta: _yoast_wpseo_metadesc']
  await importFile(
    call,
    csv(
      ['ID', 'Type', 'SKU', 'Name', 'Parent', 'Description', 'Regular price', title, description],
      ['1', 'variable', 'tee', 'Linen Tee', '', 'The tee is woven from linen.', '', 'Linen tees | Acme', 'Cool tees.'],
      ['2', 'variation', 'tee-s', 'Linen Tee - S', 'tee', '', '20', '', ''],
      ['3', 'variation', 'tee-m', 'Linen Tee - M', 'tee', '', '20', '', ''],
      ['4', 'simple', '', 'Wool Cap', '', 'The cap is knitted from wool.', '9', '%%title%% %%sep%% %%sitename%%', '']
    )
  )
  t.strictSame((await exported(call, 'format=woocommerce')).split('\r\n'), [
    `ID,SKU,${title},${description}`,
    '4,,Wool Cap,The cap is knitted from wool.',
    ',tee,Linen tees | Acme,Cool tees.',
    ''
  ])
  t.match(await exported(call, 'format=woocommerce&seoPlugin=rank-math'), /^ID,SKU,Meta: rank_math_title,/)
})

t.test('a Merchant feed groups its variants, and pages keep their address', async (t) => {
  const call = await client(await startApp(t))
  const link = 'https://shop.example/products/linen-tee?variant='
  await importFile(
    call,
    csv(
      ['id', 'title', 'link', 'item_group_id', 'color', 'description', 'price'],
      ['1', 'Linen Tee Red', `${link}1`, 'tee', 'Red', 'The tee is woven from linen.', '20 EUR'],
      ['2', 'Linen Tee Blue', `${link}2`, 'tee', 'Blue', 'The tee is woven from linen.', '20 EUR']
    )
  )
  const { products } = (await call('GET', `${PRODUCTS}?handle=linen-tee`)).json()
  t.strictSame(
    products.map(({ seo }: any) => [seo.pageTitle.value, seo.metaTitle.value]),
    [
      ['Linen Tee', 'Linen Tee'],
      ['Linen Tee', 'Linen Tee']
    ]
  )
  t.match(JSON.parse(products[0].schemaOrgJson), {
    '@type': 'Product',
    name: 'Linen Tee',
    color: 'Red',
    inProductGroupWithID: 'tee',
    offers: { price: '20', priceCurrency: 'EUR', url: `${link}1` }
  })
})

t.test('JSON-LD contains what is known, and cannot end its script', async (t) => {
  const call = await client(await startApp(t))
  const answer = await call('POST', PRODUCTS, {
    projectId: 'shop',
    externalId: 'a',
    title: '</script><b>Mug</b>',
    price: 12.5,
    currency: 'EUR',
    availability: 'in_stock',
    brand: 'Alba',
    gtin: '4006381333931',
    images: ['https://127.0.0.1/a.jpg']
  })
  const { schemaOrgJson } = answer.json()
  t.notMatch(schemaOrgJson, '<')
  t.match(JSON.parse(schemaOrgJson), {
    '@context': 'https://schema.org',
    gtin: '4006381333931',
    brand: { '@type': 'Brand', name: 'Alba' },
    image: ['https://127.0.0.1/a.jpg'],
    offers: { '@type': 'Offer', price: '12.5', availability: 'https://schema.org/InStock' }
  })
})

t.test('problems of texts are reported by product and counted by project', async (t) => {
  const call = await client(await startApp(t))
  const same = {
    title: 'Tea Cup',
    description: 'The cup is thrown by hand, glazed twice and fired in a kiln that burns olive wood.'
  }
  const rows = [
    { externalId: 'fine', title: 'Stoneware Mug', description: MUG },
    { externalId: 'thin', title: 'Oak Table', description: 'Made to last.' },
    { externalId: 'lorem', title: 'Lamp', description: `Lorem ipsum dolor sit amet, consectetur. ${MUG}` },
    { externalId: 'one', ...same },
    { externalId: 'two', ...same }
  ]
  await call('POST', `${PRODUCTS}/batch`, { projectId: 'shop', products: rows })
  await eventually(
    async () => (await call('GET', `${PRODUCTS}?status=optimized`)).json().totalCount === rows.length,
    'the optimization of all products'
  )
  const byId = Object.fromEntries(
    (await call('GET', PRODUCTS)).json().products.map(({ externalId, ...product }: any) => [externalId, product])
  )
  t.strictSame(byId.fine.quality, [])
  t.strictSame(byId.thin.quality, ['thin', 'too_short'])
  t.match(byId.thin.warnings, [{ code: 'source_thin' }])
  t.equal(byId.thin.seo.metaDescription.value, 'Oak Table: Made to last.', 'nothing is padded')
  t.ok(byId.lorem.quality.includes('lorem'))
  t.notMatch(byId.lorem.seo.metaDescription.value, /lorem/i)
  const report = (await call('GET', `${PRODUCTS}/quality?projectId=shop`)).json()
  t.match(report, { projectId: 'shop', total: 5, thin: 1, lorem: 1 })
  for (const code of ['duplicate', 'lorem', 'thin', 'too_short']) {
    t.equal((await call('GET', `${PRODUCTS}?quality=${code}`)).json().totalCount, report[code], code)
  }
})

t.test('a price with more than 4 decimals is rounded half to even, with a warning', async (t) => {
  const call = await client(await startApp(t))
  const send = async (price: string) => {
    const body = `{"projectId":"shop","externalId":"p","title":"P","price":${price}}`
    return await call('POST', PRODUCTS, body as never, { 'content-type': 'application/json' })
  }
  const isRounded = (answer: Awaited<ReturnType<Client>>) =>
    answer.json().warnings.some(({ code }: { code: string }) => code === 'price_rounded')
  for (const [sent, stored] of [
    [String(19.99 * 1.19), '23.7881'],
    ['0.00005', '0.0000'],
    ['0.00015', '0.0002'],
    ['0.000150001', '0.0002'],
    ['9.99995', '10.0000'],
    ['1.00000000000000000001', '1.0000']
  ] as const) {
    const answer = await send(sent)
    t.match(answer.body, `"price":${stored},`, sent)
    t.ok(isRounded(answer), sent)
  }
  t.notOk(isRounded(await send('19.9900')))
  const batch = await call('POST', `${PRODUCTS}/batch`, {
    projectId: 'shop',
    products: [
      { externalId: 'a', title: 'A', price: 19.99 * 1.19 },
      { externalId: 'b', title: 'B', price: 5 }
    ]
  })
  t.match(batch.json(), { created: 2, warnings: [{ index: 0, externalId: 'a', code: 'price_rounded' }] })
  t.equal(batch.json().warnings.length, 1)
})
