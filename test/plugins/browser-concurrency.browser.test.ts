import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startApp } from '../helper.ts'

/* A site that responds to nobody before all have asked: it tells whether checks run at the same time. */

const AT_A_TIME = 3
const PAGE = '<!doctype html><html lang="en"><title>Tea</title><p>Tea needs water that boils and some minutes.</p>'

t.test('WORKER_CONCURRENCY sets how many pages are inspected at the same time', async (t) => {
  const waiting: ServerResponse[] = []
  const site = createServer(({ url }, response) => {
    if (url?.startsWith('/page') !== true) return response.writeHead(404).end()
    waiting.push(response)
    if (waiting.length < AT_A_TIME) return response
    for (const one of waiting) if (!one.headersSent) one.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    return response
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    site.closeAllConnections()
    site.close()
  })
  const app = await startApp(t, {
    WORKER_CONCURRENCY: `run-visual-check=${AT_A_TIME}/1`,
    OUTBOUND_ALLOW: '127.0.0.1',
    BROWSER_SANDBOX: 'off'
  })
  const pages = Array.from({ length: AT_A_TIME }, async (_, index) => {
    const { outcome } = await app.browser.inspectPage({
      accountId: `account-${index}`,
      url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/page-${index}`,
      blog: { title: 'Tea', html: '<p>Tea needs water that boils and some minutes.</p>', css: '', language: 'en' },
      viewports: ['desktop'],
      screenshotDetail: 'none',
      signal: AbortSignal.timeout(80_000)
    })
    return outcome
  })
  t.same(await Promise.all(pages), ['inspected', 'inspected', 'inspected'])
})
