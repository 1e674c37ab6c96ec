import t from 'tap'
import { createOptimizer } from '../../../../services/optimizer/index.ts'
import { openTestShop, PROJECT } from '../fixtures.ts'
import { HOSTILE_ANSWERS } from './hostile-answers.ts'
import { startModel, GOOD, oakTable, respondWith } from './language-model.ts'

t.test('of 300 hostile answers none is stored, and every product has what the rules make', async (t) => {
  t.ok(HOSTILE_ANSWERS.length >= 300, `${HOSTILE_ANSWERS.length} answers`)
  let now = 0
  const reached = new Set<number>()
  const { provider } = await startModel(
    t,
    (response, { body }) => {
      const number = Number(/case (\d+)/.exec(body.messages[1]!.content)?.[1])
      reached.add(number)
      HOSTILE_ANSWERS[number]!.answer(response)
      // Each call is made a minute after the one before, so that no pause after failures spares
      // any.
    },
    { timeoutMs: 300, clock: () => (now += 3_600_000) }
  )
  const { store, queue, all } = await openTestShop(
    t,
    HOSTILE_ANSWERS.map((_, i) => oakTable(String(i), { attributes: { note: `case ${i}` } }))
  )
  await createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, new AbortController().signal)
  const products = await all()
  t.equal(reached.size, HOSTILE_ANSWERS.length, 'the model was asked about each')
  const stored = products
    .filter(({ seo }) => Object.values(seo).some((value) => value?.source !== 'rule'))
    .map(({ externalId }) => HOSTILE_ANSWERS[Number(externalId)]!.name)
  t.same(stored, [])
  t.ok(products.every(({ status }) => status === 'optimized'))
})

t.test('a good answer is stored, with its source', async (t) => {
  const { provider, asked } = await startModel(t, respondWith(GOOD))
  const { store, queue, all } = await openTestShop(t, [oakTable('a')])
  t.equal(await createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, new AbortController().signal), 1)
  const [product] = await all()
  const llm = (value: string) => ({ value, source: 'llm' })
  t.match(product?.seo, {
    metaTitle: llm(GOOD.meta_title),
    metaDescription: llm(GOOD.meta_description),
    pageTitle: llm(GOOD.page_title),
    handle: { value: 'oak-table', source: 'rule' },
    pageDescription: { source: 'rule' }
  })
  t.equal(asked.length, 1)
  t.equal(asked[0]?.url, '/v1/chat/completions')
  t.equal(asked[0]?.headers.authorization, 'Bearer sk-test')
  t.match(asked[0]?.body, {
    model: 'small',
    messages: [{ role: 'system' }, { role: 'user' }],
    response_format: { type: 'json_schema' }
  })
})

t.test('each text is checked by itself: a bad one is replaced, the good ones are stored', async (t) => {
  for (const [member, field] of [
    ['meta_title', 'metaTitle'],
    ['meta_description', 'metaDescription'],
    ['page_title', 'pageTitle']
  ] as const) {
    const { provider } = await startModel(t, respondWith({ ...GOOD, [member]: 'Buy at evil.com' }))
    const suggested = await provider.suggest({ product: oakTable('a'), brandName: null }, new AbortController().signal)
    t.same(
      Object.keys(suggested.texts).toSorted(),
      ['metaDescription', 'metaTitle', 'pageTitle'].filter((name) => name !== field)
    )
  }
})

t.test('the same text suggested for two products is stored once', async (t) => {
  const { provider } = await startModel(t, respondWith(GOOD))
  const { store, queue, all } = await openTestShop(t, [oakTable('a'), oakTable('b')])
  await createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, new AbortController().signal)
  t.same((await all()).map(({ seo }) => seo.metaTitle?.source).toSorted(), ['llm', 'rule'])
})
