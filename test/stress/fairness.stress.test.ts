import t from 'tap'
import { lanes, LANES_WITHOUT_BROWSER, startPeers } from '../fixtures/fairness/index.ts'
import { startApp, temporaryFolder } from '../helper.ts'
import { scaled, small } from '../profile.ts'

const ACTIONS = small ? 5 : 30
/**
 * The stand-in for MongoDB reads all entries of an index where a server reads one, so that a flood of the full
 * size would take minutes.
 */
const FLOOD_SIZE = scaled ? 0.2 : 1
const SIZE = FLOOD_SIZE * (small ? 1 : 4)
/** An action of another account may take three times as long as alone, or this long on a busy machine. */
const MAX_MS = scaled ? 20_000 : 10_000

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

for (const name of LANES_WITHOUT_BROWSER) {
  t.test(`one account that floods ${name} does not hold up another one`, { timeout: 240_000 }, async (t) => {
    const peers = await startPeers()
    const lane = lanes(peers).find((one) => one.name === name)!
    const app = await startApp(t, {
      DATA_DIR: temporaryFolder(t),
      DEMO_CONTENT: 'off',
      OUTBOUND_ALLOW: '127.0.0.1/32'
    })
    t.teardown(peers.close)
    await app.ready()
    const time = async (): Promise<number> => {
      const startedAt = performance.now()
      await lane.act(app, AbortSignal.timeout(30_000))
      return performance.now() - startedAt
    }
    await time() // The first action also loads modules.
    const before: number[] = []
    for (let index = 0; index < ACTIONS; index++) before.push(await time())
    await lane.flood(app, SIZE)
    const flooded: number[] = []
    for (let index = 0; index < ACTIONS; index++) flooded.push(await time())
    const longest = Math.max(...flooded)
    t.comment(
      `alone ${median(before).toFixed(0)} ms, flooded ${median(flooded).toFixed(0)}, longest ${longest.toFixed(0)}`
    )
    const limitMs = Math.max(3 * Math.max(...before), MAX_MS)
    t.ok(longest <= limitMs, `the longest action took ${longest.toFixed(0)} ms of at most ${limitMs.toFixed(0)}`)
  })
}
