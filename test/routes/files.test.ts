import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { startApp } from '../helper.ts'

/** Files that a client gets at the same time. */
const AT_ONCE = 64

for (const url of ['/docs/style.css', '/docs/images/site-styles.png', '/console/']) {
  t.test(`a client that requests a file many times gets some at a time: ${url}`, async (t) => {
    const app = await startApp(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    /** The functions that end responses. */
    const held: (() => void)[] = []
    app.server.on('request', (_request, response) => {
      const end = response.end.bind(response) as (...parameters: unknown[]) => typeof response
      response.end = ((...parameters: unknown[]) => {
        held.push(() => end(...parameters))
        return response
      }) as typeof response.end
    })
    const requests = Array.from({ length: AT_ONCE + 1 }, async () => {
      const response = await fetch(app.listeningOrigin + url)
      await response.arrayBuffer()
      return response.status
    })
    while (held.length < AT_ONCE) await wait(5)
    await wait(200)
    t.equal(held.length, AT_ONCE, 'one waits')
    t.equal((await app.inject({ url, remoteAddress: '127.0.0.2' })).statusCode, 200)
    held.pop()!()
    while (held.length < AT_ONCE) await wait(5)
    for (const end of held.splice(0)) end()
    t.same(new Set(await Promise.all(requests)), new Set([200]))
  })
}
