import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { assertNoFindings } from '../../fixtures/visual-check/assertions.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { MUTATIONS, mutationScript } from '../../fixtures/visual-check/mutations.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const names = Object.keys(MUTATIONS)
/** Each kind once. `MUTATIONS=400` runs more, `SEED` selects others. */
const COUNT = Number(process.env.MUTATIONS ?? names.length)
const SEED = Number(process.env.SEED ?? 1)
const MIN_DETECTED_SHARE = 0.95
const CONCURRENCY = 2

const [browser, site] = [await openBrowser(t), await startSite(t)]
const random = createSeededRandom(SEED)

/** Draws every kind of mutation equally often, in random order, for a random block. */
function drawMutations(): { name: string; draw: number }[] {
  const rounds = Array.from({ length: Math.ceil(COUNT / names.length) }, () =>
    names.map((name) => ({ name, order: random() })).sort((one, other) => one.order - other.order)
  )
  return rounds
    .flat()
    .slice(0, COUNT)
    .map(({ name }) => ({ name, draw: random() }))
}

/** The scored codes of a page with a mutation, without runtime codes, which the script causes. */
async function detect(name: string, { draw, index }: { draw: number; index: number }): Promise<string[]> {
  const page = goodPage(site.origin)
  page.path = `/blog/mutated-${index}`
  page.head.canonical = `<link rel="canonical" href="${site.origin}${page.path}">`
  page.end = mutationScript(name, draw)
  const { findings } = await checkFixturePage(browser, { url: site.show(page), page })
  const scored = findings.filter(({ severity, confidence }) => severity !== 'info' && confidence === 'certain')
  if (scored.some(({ code }) => code === 'JS_ERROR')) throw new Error(`The mutation "${name}" throws an error`)
  return scored.filter(({ category }) => category !== 'runtime').map(({ code }) => code)
}

t.test(`at least 95 % of mutated blocks are detected (seed ${SEED})`, { timeout: 3_600_000 }, async (t) => {
  const queue = drawMutations().map((mutation, index) => ({ ...mutation, index }))
  const total = queue.length
  const missed: string[] = []
  const several = new Map<string, number>()
  const runLane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const codes = await detect(next.name, next)
      if (codes.length === 0) missed.push(`${next.name} (${next.draw})`)
      const key = `${next.name}: ${codes.join(' ')}`
      if (codes.length > 1) several.set(key, (several.get(key) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runLane))
  const severalTexts = [...several].sort().map(([key, count]) => `${key} × ${count}`)
  t.comment(`${total - missed.length} of ${total} detected; missed: ${missed.sort().join('; ') || 'none'}`)
  t.comment(`with more than one code: ${severalTexts.join('; ') || 'none'}`)
  t.ok(missed.length <= total * (1 - MIN_DETECTED_SHARE), `${missed.length} of ${total} were missed`)
})

t.test('the page without a mutation has no findings', async (t) => {
  const page = goodPage(site.origin)
  assertNoFindings(t, await checkFixturePage(browser, { url: site.show(page), page }))
})
