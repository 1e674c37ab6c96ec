import t from 'tap'
import { errorsOf, readFile, valuesOf } from './read-file.ts'

const csv = (...rows: string[][]) =>
  rows
    .map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n') + '\n'

t.test('native columns are recognized in every spelling of their names', async (t) => {
  const file = csv(
    [
      'External ID',
      'TITLE',
      'image_url',
      'Attributes.Color',
      'attribute:Shoe size',
      'Images',
      'tags',
      'price',
      'gtin',
      'availability',
      'projectId',
      'Warehouse',
      ''
    ],
    [
      'a',
      ' <b>Anchor</b> ',
      'https://x.example/a.jpg',
      'Red',
      '44',
      'https://x.example/1.jpg?w=1,h=2, https://x.example/2.jpg',
      'sea, iron,',
      '0012.50',
      "'0400 638 1333931",
      'In stock',
      'shop',
      'B7',
      ''
    ],
    [
      'b',
      'Buoy',
      '',
      '',
      '',
      'https://x.example/1.jpg|https://x.example/2.jpg',
      'sea|big, round',
      '',
      '="04006381333931"',
      '',
      '',
      '',
      'x'
    ]
  )
  t.strictSame(await valuesOf(file), [
    {
      externalId: 'a',
      title: '<b>Anchor</b>',
      imageUrl: 'https://x.example/a.jpg',
      attributes: { Color: 'Red', 'Shoe size': '44' },
      images: ['https://x.example/1.jpg?w=1,h=2', 'https://x.example/2.jpg'],
      tags: ['sea', 'iron'],
      price: 12.5,
      gtin: '04006381333931',
      availability: 'in_stock',
      projectId: 'shop'
    },
    {
      externalId: 'b',
      title: 'Buoy',
      images: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
      tags: ['sea', 'big, round'],
      gtin: '04006381333931'
    }
  ])
  const { rows, layout } = await readFile(file)
  t.strictSame(
    rows.map(({ price }) => price),
    ['12.50', null]
  )
  t.strictSame([layout.file.dialect, layout.file.ignoredColumns], ['own', ['Warehouse']])
})

t.test('of thousands of ignored columns, the first names are stored, and all are counted', async (t) => {
  for (const [names, stored] of [
    [Array.from({ length: 3000 }, (_, at) => `c${at}`), 100],
    [Array.from({ length: 90 }, (_, at) => `${at}`.padEnd(999, 'x')), 10]
  ] as const) {
    const header = ['externalId', 'title', ...names].join(',')
    const { layout } = await readFile(`${header}\n1,Anchor${','.repeat(names.length)}\n`)
    t.strictSame(layout.file.ignoredColumns, names.slice(0, stored))
    t.equal(layout.file.ignoredColumnCount, names.length)
  }
})

t.test('a price in another notation is an error with a suggested correction, never a guess', async (t) => {
  const cases: [string, string][] = [
    ['1.299,00', 'write 1299.00,'],
    ['1,299.00', 'write 1299.00,'],
    ['€ 5', 'write 5,'],
    ['5 €', 'write 5,'],
    ['1,5', 'write 1.5,'],
    ['1,299', 'write 1299 or 1.299,'],
    ["1'299.50", 'write 1299.50,'],
    ['1.299.000', 'write 1299000,'],
    ['12.50 EUR', 'write 12.50,'],
    ['$1,299,000.95', 'write 1299000.95,'],
    ['5,-', 'write 5,'],
    ['.5', 'write 0.5,'],
    ['+5', 'write 5,']
  ]
  for (const [price, hint] of cases) {
    const {
      rows: [row]
    } = await readFile(csv(['externalId', 'title', 'price'], ['a', 'Anchor', price]), { chunkBytes: [] })
    t.match(row!.errors, [{ pointer: '/price', code: 'locale_price', message: hint }], price)
    t.notMatch(row!.value, { price: /./ })
  }
  t.strictSame(
    await errorsOf(
      csv(
        ['externalId', 'title', 'price'],
        ['a', 'x', 'free'],
        ['b', 'x', '1.23456'],
        ['c', 'x', '-5'],
        ['d', 'x', '1299.5'],
        ['e', 'x', '1E+02']
      )
    ),
    ['2 not_a_number /price']
  )
  const { rows } = await readFile(
    csv(['externalId', 'title', 'price'], ['d', 'x', '1299.5'], ['e', 'x', '1E+02'], ['c', 'x', '-5'])
  )
  t.strictSame(
    rows.map(({ price, value }) => [price, (value as { price: number }).price]),
    [
      ['1299.5', 1299.5],
      ['100', 100],
      [null, -5]
    ]
  )
})

t.test('a number rounded by a spreadsheet is an error', async (t) => {
  t.strictSame(
    await errorsOf(
      csv(
        ['externalId', 'title', 'sku', 'gtin', 'mpn'],
        ['a', 'x', 'S1', '4.00638E+12', ''],
        ['1,2E+5', 'x', '4E+10', '', '5.1E+7'],
        ['1E5', 'x', 'E+5', '', '']
      )
    ),
    [
      '2 spreadsheet_number /gtin',
      '3 spreadsheet_number /externalId',
      '3 spreadsheet_number /sku',
      '3 spreadsheet_number /mpn'
    ]
  )
})

t.test('a request may map columns to fields', async (t) => {
  const mapping = { Artikelnummer: 'externalId', bezeichnung: 'title', Farbe: 'attributes.color', Preis: 'price' }
  const file = 'Artikelnummer;Bezeichnung;Farbe;Preis;brand;Lager\n7;Anker;rot;5.00;Hafen;3\n'
  t.strictSame(await valuesOf(file, { mapping }), [
    { externalId: '7', title: 'Anker', attributes: { color: 'rot' }, price: 5, brand: 'Hafen' }
  ])
  const { layout } = await readFile(file, { mapping })
  t.strictSame([layout.file.dialect, layout.file.ignoredColumns], ['mapped', ['Lager']])
  t.strictSame(
    await valuesOf('id,Title,name\n7,old,Anker\n', { mapping: { id: 'externalId', name: 'title' } }),
    [{ externalId: '7', title: 'Anker' }],
    'what is mapped goes before a name'
  )
})

t.test('a Google Merchant feed is recognized by its header', async (t) => {
  const head = [
    'id',
    'title',
    'description',
    'link',
    'image link',
    'additional_image_link',
    'price',
    'availability',
    'brand',
    'gtin',
    'mpn',
    'google_product_category',
    'product_type',
    'item_group_id',
    'color',
    'size',
    'condition'
  ]
  const file = [
    head,
    [
      'A1',
      'Anchor',
      'Holds',
      'https://x.example/a',
      'https://x.example/a.jpg',
      'https://x.example/b.jpg,https://x.example/c.jpg',
      '12.50 EUR',
      'in stock',
      'Harbor',
      '4006381333931',
      'M1',
      '5181',
      'Sea > Anchors',
      'G1',
      'Red',
      'L',
      'new'
    ],
    ['A2', 'Buoy', '', '', '', '', '7', 'out_of_stock', '', '', '', 'Boats > Buoys', '', '', '', '', ''],
    ['A3', 'Cleat', '', '', '', '', '12,50 EUR', '', '', '', '', '5181', '', '', '', '', '']
  ]
    .map((row) => row.join('\t'))
    .join('\r\n')
  const { rows, layout } = await readFile(file)
  t.strictSame(
    rows.slice(0, 2).map(({ value }) => value),
    [
      {
        externalId: 'A1',
        title: 'Anchor',
        description: 'Holds',
        url: 'https://x.example/a',
        imageUrl: 'https://x.example/a.jpg',
        images: ['https://x.example/b.jpg', 'https://x.example/c.jpg'],
        price: 12.5,
        currency: 'EUR',
        availability: 'in_stock',
        brand: 'Harbor',
        gtin: '4006381333931',
        mpn: 'M1',
        category: 'Sea > Anchors',
        attributes: { color: 'Red', size: 'L' },
        groupId: 'G1'
      },
      { externalId: 'A2', title: 'Buoy', price: 7, availability: 'out_of_stock', category: 'Boats > Buoys' }
    ]
  )
  t.strictSame(
    rows.map(({ price }) => price),
    ['12.50', '7', null]
  )
  t.match(rows[2], { errors: [{ code: 'locale_price', message: 'write 12.50,' }] })
  t.notMatch(rows[2]!.value, { category: /./ })
  t.strictSame(
    [layout.file.dialect, layout.file.delimiter, layout.file.ignoredColumns],
    ['google', '\t', ['condition']]
  )
})

const SHOPIFY = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Variant SKU',
  'Variant Price',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'SEO Title',
  'Variant Image',
  'Status'
]
const shopify = (cells: Record<string, string>, head = SHOPIFY) => head.map((name) => cells[name] ?? '')
const imageUrl = (name: string) => `https://cdn.example/${name}.jpg`
const JUMPER = [
  shopify({
    Handle: 'jumper',
    Title: 'Jumper',
    'Body (HTML)': '<p>Warm,\nwool</p>',
    Vendor: 'Harbor',
    'Product Category': 'Apparel > Knitwear',
    Type: 'Knit',
    Tags: 'wool, blue',
    'Option1 Name': 'Color',
    'Option1 Value': 'Blue',
    'Option2 Name': 'Size',
    'Option2 Value': 'S',
    'Variant SKU': "'0071",
    'Variant Price': '59.90',
    'Variant Barcode': "'4006381333931",
    'Image Src': imageUrl('one'),
    'SEO Title': 'Ours',
    Status: 'active'
  }),
  shopify({
    Handle: 'jumper',
    'Option1 Value': 'Blue',
    'Option2 Value': 'M',
    'Variant Price': '59.90',
    'Image Src': imageUrl('two')
  }),
  shopify({
    Handle: 'jumper',
    'Option1 Value': 'Red',
    'Option2 Value': 'M',
    'Variant SKU': 'J-RM',
    'Variant Price': '64.00',
    'Image Src': imageUrl('three'),
    'Variant Image': imageUrl('two')
  }),
  shopify({ Handle: 'jumper', 'Image Src': imageUrl('four') })
]
const MUG = shopify({
  Handle: 'mug',
  Title: 'Mug',
  Type: 'Cups',
  'Option1 Name': 'Title',
  'Option1 Value': 'Default Title',
  'Variant Price': '9.00',
  Status: 'archived'
})

t.test('every variant of a Shopify export is a product that inherits from its handle', async (t) => {
  const { rows, layout } = await readFile(csv(SHOPIFY, ...JUMPER, MUG), { size: 1 })
  const shared = {
    title: 'Jumper',
    description: '<p>Warm,\nwool</p>',
    brand: 'Harbor',
    category: 'Apparel > Knitwear',
    tags: ['wool', 'blue'],
    groupId: 'jumper',
    seo: { handle: 'jumper', metaTitle: 'Ours' }
  }
  t.strictSame(
    rows.map(({ value }) => value),
    [
      {
        ...shared,
        externalId: '0071',
        sku: '0071',
        gtin: '4006381333931',
        price: 59.9,
        attributes: { Color: 'Blue', Size: 'S' },
        imageUrl: imageUrl('one'),
        images: [imageUrl('two'), imageUrl('three'), imageUrl('four')]
      },
      {
        ...shared,
        externalId: 'jumper/Blue/M',
        price: 59.9,
        attributes: { Color: 'Blue', Size: 'M' },
        imageUrl: imageUrl('one'),
        images: [imageUrl('two'), imageUrl('three'), imageUrl('four')]
      },
      {
        ...shared,
        externalId: 'J-RM',
        sku: 'J-RM',
        price: 64,
        attributes: { Color: 'Red', Size: 'M' },
        imageUrl: imageUrl('two'),
        images: [imageUrl('one'), imageUrl('three'), imageUrl('four')]
      },
      {
        externalId: 'mug',
        title: 'Mug',
        category: 'Cups',
        price: 9,
        groupId: 'mug',
        seo: { handle: 'mug' }
      }
    ]
  )
  t.strictSame(
    rows.map(({ line, price }) => [line, price]),
    [
      [2, '59.90'],
      [4, '59.90'],
      [5, '64.00'],
      [7, '9.00']
    ]
  )
  const later = await readFile(csv(SHOPIFY, MUG, ...JUMPER), { size: 1 })
  t.strictSame(
    later.batches.map(({ rows, nextLine }) => [rows.length, nextLine]),
    [
      [1, 3],
      [3, 8]
    ],
    'what belongs together is not parted'
  )
  t.strictSame(
    [layout.file.dialect, layout.file.ignoredColumns],
    ['shopify', ['Published', 'Image Position', 'Status']]
  )
})

t.test('the current column names of Shopify are recognized', async (t) => {
  const head = [
    'Title',
    'URL handle',
    'Description',
    'Vendor',
    'Product category',
    'Type',
    'Tags',
    'Status',
    'SKU',
    'Barcode',
    'Option1 name',
    'Option1 value',
    'Option1 Linked To',
    'Price',
    'Compare-at price',
    'Product image URL',
    'Variant image URL',
    'SEO title'
  ]
  const file = csv(
    head,
    shopify(
      {
        Title: 'Cap',
        'URL handle': 'cap',
        Description: 'Warm',
        SKU: 'C-1',
        'Option1 name': 'Size',
        'Option1 value': 'M',
        Price: '12.00',
        'Product image URL': imageUrl('cap')
      },
      head
    ),
    shopify({ 'URL handle': 'cap', 'Option1 value': 'L', Price: '13.00' }, head)
  )
  t.strictSame(await valuesOf(file), [
    {
      externalId: 'C-1',
      sku: 'C-1',
      title: 'Cap',
      description: 'Warm',
      price: 12,
      attributes: { Size: 'M' },
      groupId: 'cap',
      seo: { handle: 'cap' },
      imageUrl: imageUrl('cap')
    },
    {
      externalId: 'cap/L',
      title: 'Cap',
      description: 'Warm',
      price: 13,
      attributes: { Size: 'L' },
      groupId: 'cap',
      seo: { handle: 'cap' },
      imageUrl: imageUrl('cap')
    }
  ])
})

t.test('an invalid row of a Shopify export does not separate variants from their product', async (t) => {
  const { rows } = await readFile(csv(SHOPIFY, JUMPER[0]!, ['jumper', 'too', 'few'], JUMPER[1]!, MUG))
  t.strictSame(
    rows.map(({ errors, value }) => errors[0]?.code ?? (value as { title: string }).title),
    ['Jumper', 'cell_count', 'Jumper', 'Mug']
  )
})

t.test('a variant without a preceding product is an error', async (t) => {
  t.strictSame(await errorsOf(csv(SHOPIFY, JUMPER[1]!, MUG, JUMPER[2]!)), [
    '2 variant_without_product /title',
    '4 variant_without_product /title'
  ])
})

t.test('a failed variant can be uploaded separately', async (t) => {
  const head = csv(SHOPIFY)
  const { rows } = await readFile(csv(SHOPIFY, ...JUMPER, MUG))
  for (const row of rows) t.strictSame(await valuesOf(`${head}${row.raw}\n`), [row.value], row.raw.slice(0, 60))
})

const WOO = [
  'ID',
  'Type',
  'SKU',
  'GTIN, UPC, EAN, or ISBN',
  'Name',
  'Published',
  'Short description',
  'Description',
  'Date sale price starts',
  'Date sale price ends',
  'In stock?',
  'Sale price',
  'Regular price',
  'Categories',
  'Tags',
  'Images',
  'Parent',
  'Brands',
  'Attribute 1 name',
  'Attribute 1 value(s)',
  'Attribute 1 visible',
  'Attribute 2 name',
  'Attribute 2 value(s)',
  'Meta: _x'
]
const woo = (cells: Record<string, string>) => WOO.map((name) => cells[name] ?? '')
const HOODIE = woo({
  ID: '10',
  Type: 'variable',
  SKU: 'H',
  Name: 'Hoodie',
  Description: '<p>Soft</p>\\n<p>Warm</p>',
  Categories: 'Clothing, Clothing > Tops > Hoodies, Clothing > Warm',
  Tags: 'soft, a\\, b',
  Images: `${imageUrl('h1')}, ${imageUrl('h2')}`,
  Brands: 'Harbor',
  'Attribute 1 name': 'Color',
  'Attribute 1 value(s)': 'Red, Blue'
})
const RED = woo({
  ID: '12',
  Type: 'variation',
  SKU: 'H-R',
  Name: 'Hoodie - Red',
  'In stock?': '1',
  'Regular price': '45.00',
  Images: imageUrl('red'),
  Parent: 'H',
  'Attribute 1 name': 'Color',
  'Attribute 1 value(s)': 'Red'
})
const BLUE = woo({
  ID: '13',
  Type: 'variation, virtual',
  'In stock?': 'backorder',
  'Sale price': '39.50',
  'Regular price': '45.00',
  Parent: 'id:10',
  'Attribute 1 name': 'Color',
  'Attribute 1 value(s)': 'Blue\\, light'
})
const POT = woo({
  ID: '11',
  Type: 'simple',
  SKU: 'P',
  'GTIN, UPC, EAN, or ISBN': '4006381333931',
  Name: "'-Pot-",
  'Short description': 'Short',
  'In stock?': '0',
  'Sale price': '1.00',
  'Date sale price ends': '2024-01-01',
  'Regular price': '2.00',
  'Attribute 1 name': 'Size',
  'Attribute 1 value(s)': 'S, M',
  'Attribute 2 name': 'Clay',
  'Attribute 2 value(s)': 'red'
})

t.test(
  'of a WooCommerce export simple products and variations are products, and variations have what their parent has',
  async (t) => {
    const { rows, layout } = await readFile(csv(WOO, HOODIE, POT, RED, BLUE), { size: 1 })
    const shared = {
      description: '<p>Soft</p>\n<p>Warm</p>',
      category: 'Clothing > Tops > Hoodies',
      tags: ['soft', 'a, b'],
      brand: 'Harbor'
    }
    t.strictSame(
      rows.map(({ value }) => value),
      [
        {
          externalId: 'P',
          sku: 'P',
          gtin: '4006381333931',
          title: '-Pot-',
          description: 'Short',
          price: 2,
          availability: 'out_of_stock',
          attributes: { Size: 'S, M', Clay: 'red' }
        },
        {
          ...shared,
          externalId: 'H-R',
          groupId: 'H',
          sku: 'H-R',
          title: 'Hoodie - Red',
          price: 45,
          availability: 'in_stock',
          imageUrl: imageUrl('red'),
          attributes: { Color: 'Red' }
        },
        {
          ...shared,
          externalId: 'id:13',
          groupId: 'H',
          title: 'Hoodie',
          price: 39.5,
          availability: 'backorder',
          imageUrl: imageUrl('h1'),
          images: [imageUrl('h2')],
          attributes: { Color: 'Blue, light' }
        }
      ]
    )
    t.strictSame(
      rows.map(({ price }) => price),
      ['2.00', '45.00', '39.50']
    )
    t.strictSame(
      [layout.file.dialect, layout.file.ignoredColumns],
      ['woocommerce', ['Published', 'Attribute 1 visible', 'Meta: _x']]
    )
  }
)

t.test('a variation without a preceding parent is an error; a failed one can be uploaded separately', async (t) => {
  t.strictSame(await errorsOf(csv(WOO, RED, HOODIE, BLUE)), ['2 unknown_parent'])
  const { rows } = await readFile(csv(WOO, HOODIE, POT, RED, BLUE))
  for (const row of rows) {
    // Without its parent, a variation does not belong to a group.
    const { groupId, ...value } = row.value as Record<string, unknown>
    t.strictSame(await valuesOf(`${csv(WOO)}${row.raw}\n`), [value], row.raw.slice(0, 60))
  }
})

t.test('the deepest of many categories is found in linear time', async (t) => {
  const categories = (count: number) => `${'x > '.repeat(count / 4)}y${',a'.repeat(count)}`
  const read = (count: number) =>
    csv(['Type', 'Name', 'SKU', 'Published', 'Categories'], ['simple', 'A', 'a', '1', categories(count)])
  const options = { chunkBytes: [] }
  const before = process.threadCpuUsage()
  const values = await valuesOf(read(40_000), options)
  const { user } = process.threadCpuUsage(before)
  t.match(values, [{ externalId: 'a', category: /^(?:x > ){10000}y$/ }])
  t.ok(user / 1000 < 1000, `${user / 1000} ms`)
})
