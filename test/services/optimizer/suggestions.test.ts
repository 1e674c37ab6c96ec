import t from 'tap'
import { sweepList } from '../../contracts/store/fixtures/sweeps.ts'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { openMemoryLimits } from '../../../ports/limits/memory.ts'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import type { Suggestion } from '../../../services/optimizer/provider/index.ts'
import { recordSuggestion, suggestionWarnings } from '../../../services/optimizer/suggestions.ts'
import type { Answer } from '../../fixtures/language-model.ts'
import { openTestShop, PROJECT, updateProduct } from './fixtures.ts'
import { GOOD, oakTable, respondWith, startModel } from './provider/language-model.ts'

const AT = '2026-03-01T00:00:00.000Z'
const signal = () => new AbortController().signal
const byTitle = ({ externalId, seo }: ProductRecord) => [externalId, seo.metaTitle?.source]

t.test('texts of a model have their origin, in the store and after an unchanged run', async (t) => {
  const { provider, asked } = await startModel(t, respondWith(GOOD))
  const { store, queue, all } = await openTestShop(t, [oakTable('a')])
  const optimizer = createOptimizer({ store, queue, provider })
  await optimizer.optimizeProject(PROJECT, signal())
  const [product] = await all()
  t.match(product, {
    seo: {
      metaTitle: { source: 'llm', generated: { model: 'small', promptVersion: '2', at: /^\d{4}-/ } },
      handle: { source: 'rule' }
    },
    suggestion: { model: 'small', failure: null, pending: false, rejected: [] },
    suggestionDueAt: null
  })
  t.notOk(product!.seo.handle?.generated)
  await store.products.markOptimizePending(PROJECT, { externalIds: null, at: AT, force: false })
  await optimizer.optimizeProject(PROJECT, signal())
  t.strictSame((await all())[0]?.seo, product!.seo)
  t.equal(asked.length, 1)
})

t.test('other work runs between the conversions of long descriptions for a model', async (t) => {
  const { provider } = await startModel(t, respondWith(GOOD))
  const cells = '<td>oak, oiled</td>'.repeat(2_000)
  const products = Array.from({ length: 8 }, (_, index) =>
    oakTable(`p${index}`, { title: `Oak Table ${index}`, description: `<table><tr>${index}${cells}</tr></table>` })
  )
  const { store, queue } = await openTestShop(t, products)
  let turn = 0
  let timer = setImmediate(function count() {
    turn += 1
    timer = setImmediate(count)
  })
  t.teardown(() => clearImmediate(timer))
  const turns: number[] = []
  const suggest: typeof provider.suggest = async (input, stopped) => {
    turns.push(turn)
    return await provider.suggest(input, stopped)
  }
  const optimizer = createOptimizer({ store, queue, provider: { ...provider, suggest } })
  await optimizer.optimizeProject(PROJECT, signal())
  t.equal(turns.length, products.length)
  t.ok(new Set(turns).size >= 4, `began in the turns ${turns.join()} of the event loop`)
})

t.test('a rejected text is replaced, and the warning names the reason', async (t) => {
  const { provider } = await startModel(t, respondWith({ ...GOOD, page_title: 'Oak Table of solid walnut' }))
  const { store, queue, all } = await openTestShop(t, [oakTable('a')])
  await createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, signal())
  const [product] = await all()
  t.equal(product?.seo.pageTitle?.source, 'rule')
  t.strictSame(suggestionWarnings(product!), [
    {
      code: 'text_rejected',
      message:
        'The pageTitle of the language model states what the product data does not: walnut (material). ' +
        'The rules generated another one.'
    }
  ])
})

t.test('beyond the budget, rules write the texts, and later runs complete them', async (t) => {
  let elapsedUs = 0
  const limits = openMemoryLimits({ now: () => 1_000_000_000 + elapsedUs })
  const answer: Answer = (response, request) => {
    const title = `Oak Table ${String(request.product.title).at(-1)} of solid oak`
    respondWith({ ...GOOD, meta_title: title })(response, request)
  }
  const { provider, asked } = await startModel(t, answer, { callsPerHour: 2, consume: limits.consume })
  const products = ['1', '2', '3'].map((id) => oakTable(id, { title: `Oak Table ${id}` }))
  const { store, queue, all } = await openTestShop(t, products)
  const optimizer = createOptimizer({ store, queue, provider })
  await optimizer.optimizeProject(PROJECT, signal())
  const waiting = (await all()).find(({ suggestionDueAt }) => suggestionDueAt !== null)!
  t.strictSame(
    (await all())
      .map(byTitle)
      .map(([, source]) => source)
      .toSorted(),
    ['llm', 'llm', 'rule']
  )
  t.match(waiting, { status: 'optimized', seo: { metaTitle: { source: 'rule' } }, suggestion: { failure: 'budget' } })
  t.match(suggestionWarnings(waiting), [{ code: 'texts_pending', message: /budget .* will be completed later/ }])
  t.strictSame(
    await sweepList((page) => store.products.pendingProjects('suggest', page)),
    [PROJECT],
    'the sweeper finds it'
  )

  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 0, 'it is not due')
  await updateProduct(store, waiting, { suggestionDueAt: AT })
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 0, 'there is no budget')
  t.equal(asked.length, 2)

  elapsedUs = 3_600_000_000
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 1)
  t.strictSame([asked.length, await sweepList((page) => store.products.pendingProjects('suggest', page))], [3, []])
  const completed = (await all()).find(({ id }) => id === waiting.id)!
  t.match(completed, { status: 'optimized', seo: { metaTitle: { source: 'llm' } }, suggestionDueAt: null })
  t.strictSame(suggestionWarnings(completed), [])
  t.not(completed.updatedAt, waiting.updatedAt)
  t.ok(completed.eventPendingSince, 'the new texts are published')
})

t.test('without a provider, waiting products keep the texts of the rules', async (t) => {
  const { provider } = await startModel(t, respondWith(GOOD), { callsPerHour: 0 })
  const { store, queue, all } = await openTestShop(t, [oakTable('a')])
  await createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, signal())
  const [waiting] = await all()
  await updateProduct(store, waiting!, { suggestionDueAt: AT })
  await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, signal())
  const [product] = await all()
  t.match(product, { status: 'optimized', suggestion: null, suggestionDueAt: null })
  t.strictSame(product!.seo, waiting!.seo)
})

t.test('the delay doubles while the model does not respond, up to an hour; a change starts over', (t) => {
  const suggestion: Suggestion = {
    texts: {},
    origin: { model: 'small', promptVersion: '2', at: AT },
    rejected: [],
    failure: { reason: 'unavailable', detail: 'status 500', retryAfterMs: 0 }
  }
  let product = oakTable('a')
  const delays = Array.from({ length: 8 }, () => {
    product = recordSuggestion(product, { suggestion, before: product, at: AT })
    return (Date.parse(product.suggestionDueAt!) - Date.parse(AT)) / 60_000
  })
  t.strictSame(delays, [1, 2, 4, 8, 16, 32, 60, 60])
  const budget = { ...suggestion, failure: { reason: 'budget' as const, detail: '', retryAfterMs: 5_000 } }
  product = recordSuggestion(product, { suggestion: budget, before: product, at: AT })
  t.equal(product.suggestionDueAt, '2026-03-01T00:00:05.000Z')
  const answered = { ...suggestion, failure: null }
  product = recordSuggestion(product, { suggestion: answered, before: product, at: AT })
  product = recordSuggestion(product, { suggestion, before: product, at: AT })
  t.equal(product.suggestionDueAt, '2026-03-01T00:01:00.000Z')
  t.end()
})
