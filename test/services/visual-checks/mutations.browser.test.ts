import { randomInt } from 'node:crypto'
import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { MUTATIONS, mutationScript } from '../../fixtures/visual-check/mutations.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/** `MUTATIONS=400` does so many, `MUTATIONS_SEED` the same ones again. */
const COUNT = Number(process.env.MUTATIONS ?? 60)
const SEED = Number(process.env.MUTATIONS_SEED ?? randomInt(2 ** 31))
const LEAST_SHARE = 0.95
const AT_ONCE = 2

const [browser, site] = [await openBrowser(t), await startSite(t)]
const random = createSeededRandom(SEED)
const names = Object.keys(MUTATIONS)

/** Each way in turn, in an order of chance, on a block of chance. */
function drawMutations(): { name: string; draw: number }[] {
  const rounds = Array.from({ length: Math.ceil(COUNT / names.length) }, () =>
    names.map((name) => ({ name, at: random() })).sort((one, other) => one.at - other.at)
  )
  return rounds
    .flat()
    .slice(0, COUNT)
    .map(({ name }) => ({ name, draw: random() }))
}

/**
 * What is noticed of a mutation: the scored codes, but for those that a script of the site gives
 * rise to by itself.
 */
async function noticed(name: string, { draw, at }: { draw: number; at: number }): Promise<string[]> {
  const page = goodPage(site.origin)
  page.path = `/blog/mutated-${at}`
  page.head.canonical = `<link rel="canonical" href="${site.origin}${page.path}">`
  page.end = mutationScript(name, draw)
  const { findings } = await checkFixturePage(browser, { url: site.show(page), page })
  const codes = findings
    .filter(({ severity, confidence }) => severity !== 'info' && confidence === 'certain')
    .map(({ code }) => code)
  if (codes.includes('JS_ERROR')) throw new Error(`The mutation "${name}" itself fails`)
  return findings.filter(({ code, category }) => codes.includes(code) && category !== 'runtime').map(({ code }) => code)
}

t.test(
  `at least 95 of 100 blocks of a good page that are spoilt in some way are noticed (seed ${SEED})`,
  { timeout: 3_600_000 },
  async (t) => {
    const waiting = drawMutations().map((mutation, at) => ({ ...mutation, at }))
    const all = waiting.length
    const missed: string[] = []
    const follow = new Map<string, number>()
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const codes = await noticed(next.name, next)
        if (codes.length === 0) missed.push(`${next.name} (${next.draw})`)
        if (codes.length > 1) {
          follow.set(`${next.name}: ${codes.join(' ')}`, (follow.get(`${next.name}: ${codes.join(' ')}`) ?? 0) + 1)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    t.comment(`${all - missed.length} of ${all} noticed; missed: ${missed.sort().join('; ') || 'none'}`)
    t.comment(
      `with more than one code: ${
        [...follow]
          .sort()
          .map(([what, count]) => `${what} × ${count}`)
          .join('; ') || 'none'
      }`
    )
    t.ok(missed.length <= all * (1 - LEAST_SHARE), `${missed.length} of ${all} were missed`)
  }
)

t.test('nothing is noticed of the page as it was', async (t) => {
  const page = goodPage(site.origin)
  const { findings, overallScore } = await checkFixturePage(browser, { url: site.show(page), page })
  t.same(
    findings.map(({ code }) => code),
    []
  )
  t.equal(overallScore, 100)
})
