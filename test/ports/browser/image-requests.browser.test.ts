import t from 'tap'
import { openPlaywrightBrowser } from '../../../ports/browser/playwright/index.ts'
import { BROWSER_OPTIONS } from '../../browser.ts'
import { drawPicture, PICTURES } from '../../fixtures/visual-check/pictures.ts'
import { openReceiver } from '../../fixtures/outbound/servers.ts'

const TEXT = 'A fig tree grows in a pot of forty litres, and gives more fruit the tighter its roots stand.'

t.test(
  'images that a check fetches pass through the egress proxy with the same policy',
  { timeout: 120_000 },
  async (t) => {
    const picture = await drawPicture(PICTURES[0])
    const victim = await openReceiver((request, reply) => {
      reply.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
    })
    const secret = `http://127.0.0.1:${victim.port}/secret.jpg`
    const site = await openReceiver((request, reply) => {
      if (request.url === '/led.jpg') return reply.writeHead(302, { location: secret }).end()
      if (request.url === '/shown.jpg') return reply.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<!doctype html><title>Figs</title><meta property="og:image" content="' +
            `${request.url === '/led' ? '/led.jpg' : secret}"><article><p>${TEXT}</p><img src="/shown.jpg" ` +
            'alt="A fig tree" width="600" height="400"></article>'
        )
    })
    const browser = openPlaywrightBrowser({ ...BROWSER_OPTIONS, allow: `127.0.0.1:${site.port}` })
    t.teardown(async () => {
      await Promise.all([browser.close(), victim.close(), site.close()])
    })
    const look = async (path: string, own: string) =>
      await browser.inspectPage({
        url: `http://127.0.0.1:${site.port}${path}`,
        accountId: 'garden',
        viewports: ['desktop'],
        screenshotDetail: 'none',
        signal: AbortSignal.timeout(60_000),
        blog: { title: 'Figs', html: `<p>${TEXT}</p><img src="${own}" alt="A fig tree">`, css: '', language: 'en' }
      })
    for (const [path, own] of [
      ['/straight', secret],
      ['/led', `http://127.0.0.1:${site.port}/led.jpg`]
    ] as const) {
      const {
        outcome,
        snapshots: [seen]
      } = await look(path, own)
      t.equal(outcome, 'inspected', path)
      t.equal(seen!.document.ogImageLoads, false, path)
      t.match(seen!.images, [{ index: 0, matchedByUrl: false, similarity: null }], path)
    }
    t.equal(victim.connections, 0, 'nothing came to who may not be reached')
    const {
      snapshots: [open]
    } = await look('/straight', `http://127.0.0.1:${site.port}/shown.jpg`)
    t.match(open!.images, [{ index: 0, matchedByUrl: true }], 'and by its own address a picture is known')
  }
)
