import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession } from 'playwright'
import t, { type Test } from 'tap'
import { type IsolatedWorld, openIsolatedWorld } from '../../../ports/browser/playwright/child/isolated-world.ts'
import { measurePixels } from '../../../ports/browser/playwright/child/pixel-checks.ts'
import { openBrowser } from '../../browser.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]

/** A page whose text is below a mask, with captures that take this time longer. `log`: of what was done to it. */
async function openMaskedPage(t: Test, captureMs: number) {
  const page = goodPage(site.origin)
  page.path = `/blog/masked-${captureMs}`
  page.siteCss += '.content { mask-image: linear-gradient(#000 calc(100% - 10px), transparent) }'
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  t.teardown(() => context.close())
  const tab = await context.newPage()
  await tab.goto(site.show(page))
  const cdp = await context.newCDPSession(tab)
  const world = await openIsolatedWorld(cdp)
  const { title, html, css } = page.blog
  const { blocks, pixelChecks } = await world.call('capturePage', { title, html, css })
  const log: string[] = []
  const slowSend = async (method: 'Page.captureScreenshot', parameters: object) => {
    log.push(method)
    await wait(captureMs)
    return await cdp.send(method, parameters)
  }
  const call: IsolatedWorld['call'] = (name, ...parameters) => {
    log.push(name)
    return world.call(name, ...parameters)
  }
  const target = { cdp: { send: slowSend } as unknown as CDPSession, world: { ...world, call } }
  const colors = async () =>
    await world.run<string[]>(
      "[...document.querySelectorAll('.content p')].map((one) => getComputedStyle(one).webkitTextFillColor)"
    )
  return { blocks, pixelChecks, target, log, colors }
}

t.test('a measurement whose time is over leaves the page as it was, and does not go on', async (t) => {
  const { blocks, pixelChecks, target, log, colors } = await openMaskedPage(t, 1_000)
  const before = await colors()
  const measured = await measurePixels(blocks, pixelChecks, { ...target, untilMs: Infinity })
  t.equal(measured.isRestored, true)
  const shares = measured.blocks.flatMap(({ visibility }) => visibility?.paintedShare ?? [])
  t.ok(shares.length > 0 && shares.length < pixelChecks.length, `${shares.length} of ${pixelChecks.length} measured`)
  t.ok(
    shares.every((share) => share === 1),
    shares.join()
  )
  t.equal(
    measured.blocks.filter(({ visibility }) => visibility?.unmeasured === true).length,
    pixelChecks.length - shares.length,
    'the others say that they were not measured'
  )
  t.equal(log.at(-1), 'finishPixelChecks')
  const steps = log.length
  t.same(await colors(), before)
  await wait(2_500)
  t.same([log.length, await colors()], [steps, before], 'nothing has changed the page since')
})

t.test('a page whose capture does not end in time is not restored, and that is said', async (t) => {
  const { blocks, pixelChecks, target } = await openMaskedPage(t, 4_000)
  const measured = await measurePixels(blocks, pixelChecks, { ...target, untilMs: performance.now() + 500 })
  t.equal(measured.isRestored, false)
  t.equal(measured.blocks.filter(({ visibility }) => visibility?.unmeasured === true).length, pixelChecks.length)
})
