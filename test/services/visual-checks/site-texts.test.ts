import t, { type Test } from 'tap'
import type { PageInspection } from '../../../ports/browser/port.ts'
import type { VisualCheckRecord } from '../../../ports/store/port.ts'
import { checkPage } from '../../../services/visual-checks/confirm.ts'
import { findSiteTexts } from '../../../services/visual-checks/site-texts.ts'
import { buildEndedCheck, RESULT } from '../../contracts/store/fixtures/visual-checks.ts'
import { expected, snapshotsWith, unexpectedText, URL_OF_PAGE } from '../../fixtures/visual-check/snapshots.ts'
import { client, publish, startApp } from '../../helper.ts'

const FOREIGN = 'This magazine is printed on paper from our own mill.'
const REQUEST = {
  ...{ url: URL_OF_PAGE, accountId: 'acme', screenshotDetail: 'none' as const, signal: new AbortController().signal },
  blog: { title: '', html: '', css: '', language: 'en' },
  viewports: ['mobile', 'desktop'] as const
}
const INSPECTION: PageInspection = {
  ...{ outcome: 'inspected', reason: null, finalUrl: URL_OF_PAGE, screenshots: [], chromium: '153' },
  ...{ missingFonts: [], timings: {}, snapshots: [] }
}

/** Checks a page that has a foreign sentence between its paragraphs. */
async function check(texts: string[], findTexts: () => Promise<string[]>) {
  const snapshots = snapshotsWith((snapshot) => {
    snapshot.unexpectedTexts.push(...texts.map((text) => ({ ...unexpectedText(text, 'between'), isFurniture: false })))
  })
  const browser = { inspectPage: async () => ({ ...INSPECTION, snapshots }) }
  const never = () => Promise.reject(new Error('not used'))
  const { evaluation } = await checkPage(
    { ...browser, assertAvailable: never, start: never, sandbox: () => null, close: never },
    REQUEST,
    { expected: expected(), findSiteTexts: findTexts }
  )
  return evaluation
}

/** The store of a service with some published blogs, and a function that adds a check of one. */
async function start(t: Test) {
  const app = await startApp(t, { CHROMIUM_PATH: '/nowhere/chromium' })
  const call = await client(app)
  const blogs: { id: string }[] = []
  for (const title of ['First', 'Second', 'Third']) blogs.push(await publish(call, { title }))
  const [first, second, third] = blogs.map(({ id }) => id)
  const add = async (blogId: string, siteTexts: string[], change: Partial<VisualCheckRecord> = {}) => {
    const url = `https://garden.example/${blogId}`
    const ended = buildEndedCheck(new Date().toISOString(), {
      blogId,
      url,
      result: { ...RESULT, siteTexts },
      ...change
    })
    await app.store.visualChecks.add(ended, 1000)
  }
  const find = async (blogId: string) =>
    await findSiteTexts(app.store, { accountId: 'acme', projectId: 'site', blogId, url: URL_OF_PAGE })
  return { first: first!, second: second!, third: third!, add, find }
}

t.test('texts of the site come from the latest checks of other blogs with the same origin', async (t) => {
  const { first, second, third, add, find } = await start(t)
  t.same(await find(first), [], 'nothing is known about a new site')
  await add(second, ['older'])
  await add(second, ['b', 'c'])
  await add(third, ['c', 'd'])
  await add(first, ['own'])
  t.same((await find(first)).sort(), ['b', 'c', 'd'])
  await add(third, ['elsewhere'], { url: 'https://staging.example/third' })
  await add(second, [], { result: null, status: 'unreachable' })
  t.same((await find(first)).sort(), ['b', 'c', 'd'], 'checks of another origin, and of a page that was not opened')
})

t.test('a foreign text is no finding if other pages of the site have it', async (t) => {
  const first = await check([FOREIGN], async () => [])
  t.same(
    first.findings.map(({ code }) => code),
    ['UNEXPECTED_TEXT']
  )
  const known = await check([FOREIGN], async () => first.siteTexts)
  t.same(known.findings, [])
  t.equal(known.overallScore, 100)
})

t.test('a page without a foreign text needs no look at other pages', async (t) => {
  const evaluation = await check([], async () => {
    throw new Error('The store was read.')
  })
  t.same(evaluation.findings, [])
})
