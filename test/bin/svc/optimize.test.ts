import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openTestStore, temporaryFolder } from '../../helper.ts'
import { createSvc } from '../../processes.ts'
import { COMPLETIONS, ERRORS, sendJson, startModelServer } from '../../fixtures/language-model.ts'
import { addProducts } from '../../services/optimizer/fixtures.ts'
import { oakTable } from '../../services/optimizer/provider/language-model.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'

const PLACE = ['--account', 'acme', '--project', 'shop']

/** A data folder with 20 products that do not wait for anything. */
async function createShop(t: Parameters<typeof temporaryFolder>[0]) {
  const data = temporaryFolder(t)
  const store = await openTestStore(data)
  const products = Array.from({ length: 20 }, (_, i) =>
    oakTable(`p${String(i).padStart(2, '0')}`, { title: `Oak Table ${i}`, optimizePendingSince: null })
  )
  await addProducts(store, products)
  await store.close()
  return { data, products }
}

async function readProducts(data: string): Promise<ProductRecord[]> {
  const store = await openTestStore(data)
  const { products } = await store.products.list(
    { accountId: 'acme', projectIds: null, projectId: 'shop' },
    { page: 1, pageSize: 100 }
  )
  await store.close()
  return products
}

t.test('a dry run prints the rules beside the model for a sample, and saves nothing', async (t) => {
  const { data, products } = await createShop(t)
  const model = await startModelServer('anthropic', (response, { product }) => {
    const title = String(product.title)
    if (title === 'Oak Table 0') sendJson(response, ERRORS.anthropic('The product is invalid.'), { status: 400 })
    else {
      const answer = {
        meta_title: `${title} of solid oak`,
        meta_description: 'Too short.',
        page_title: `${title} of teak`
      }
      sendJson(response, COMPLETIONS.anthropic(answer))
    }
  })
  t.teardown(model.close)
  const svc = createSvc(data, {
    OPTIMIZER_PROTOCOL: 'anthropic',
    OPTIMIZER_URL: model.url,
    OPTIMIZER_API_KEY: 'sk-test',
    OPTIMIZER_MODEL: 'small'
  })
  const { code, out, err } = await svc('optimize', ...PLACE, '--dry-run', '--sample', '10', '--compare')
  t.equal(code, 0, err)
  t.match(
    out,
    /^p02 {2}Oak Table 2\n {2}metaTitle\n {4}rules {3}Oak Table 2.*\n {4}model {3}Oak Table 2 of solid oak\n/m
  )
  t.match(out, /! The pageTitle of the language model states what the product data does not: teak \(material\)/)
  t.match(out, /! The metaDescription of the language model has an unsuitable length/)
  t.match(out, /! The language model at http.*\/v1\/messages returned status 400: The product is invalid\./)
  t.match(out, /10 of 20 products\. Nothing was saved\. The model wrote 9 texts, the rules 21\.\n$/)
  t.equal(model.requests.length, 10)

  const json = await svc('optimize', ...PLACE, '--dry-run', '--sample', '3', '--compare', '--json')
  t.match(JSON.parse(json.out), {
    products: 3,
    totalCount: 20,
    sample: [
      { externalId: 'p00', model: { metaTitle: { source: 'rule' } }, problems: [/status 400/] },
      { externalId: 'p06', rules: { metaTitle: { source: 'rule' } }, model: { metaTitle: { source: 'llm' } } },
      { externalId: 'p13' }
    ]
  })
  t.strictSame(await readProducts(data), products)
})

t.test('without a model, a dry run prints the texts of the rules, and --compare is an error', async (t) => {
  const { data } = await createShop(t)
  const svc = createSvc(data)
  const { code, out } = await svc('optimize', ...PLACE, '--dry-run', '--sample', '2')
  t.equal(code, 0)
  t.match(out, /2 of 20 products\. Nothing was saved\.\n$/)
  t.notMatch(out, /model/)
  const compared = await svc('optimize', ...PLACE, '--dry-run', '--compare')
  t.equal(compared.code, 1)
  t.match(compared.err, /^No language model is configured\. Set OPTIMIZER_URL/)
})

t.test('without --dry-run, the products are queued', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const file = path.join(data, 'products.csv')
  writeFileSync(file, 'externalId,title\na,Anchor\nb,Buoy\n')
  t.equal((await svc('import', 'products', file, ...PLACE)).code, 0)
  const { code, out, err } = await svc('optimize', ...PLACE, '--force')
  t.equal(code, 0, err)
  t.equal(out, '2 products queued\n')
})

t.test('wrong options are usage errors', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  for (const [args, message] of [
    [[], /--project is required/],
    [['--project', 'shop', '--compare'], /--compare cannot be used without --dry-run/],
    [['--project', 'shop', '--dry-run', '--force'], /--force cannot be used with --dry-run/],
    [['--project', 'shop', '--dry-run', '--sample', '0'], /--sample must be a whole number from 1 to 100/]
  ] as const) {
    const { code, err } = await svc('optimize', ...args)
    t.equal(code, 2)
    t.match(err, message)
  }
})
