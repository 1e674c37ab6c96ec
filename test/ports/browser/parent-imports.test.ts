import t from 'tap'
import { loadedBy } from '../../fixtures/loaded-modules.ts'

const isForbidden = (module: string): boolean =>
  /^(?:playwright|@sparticuz\/chromium)/.test(module) || module.includes('/playwright/child/')

t.test('the service loads neither the browser driver nor modules of browser processes', async (t) => {
  const loaded = [...(await loadedBy('ports/browser/open.ts'))]
  t.ok(loaded.includes('ports/browser/playwright/process/browser-process.ts'))
  t.strictSame(loaded.filter(isForbidden), [])
  const ofChild = [...(await loadedBy('ports/browser/playwright/child/main.ts'))]
  t.ok(ofChild.includes('playwright'), 'the search finds what the browser process loads')
})
