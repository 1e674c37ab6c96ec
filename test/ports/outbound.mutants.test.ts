import t from 'tap'
import { openSsrfSafeFetch } from '../../ports/outbound/ssrf-safe-fetch/index.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import { brokenPromises } from '../contracts/contract.ts'
import { outboundContract } from '../contracts/outbound.contract.ts'
import { FLAWED_DOORS } from '../fixtures/outbound/flawed-doors.ts'

// All cases run at once here, so it is seen first that this alone breaks none.
t.test('a door that is right is caught at nothing', async (t) => {
  t.same(await brokenPromises(outboundContract, async (options) => openSsrfSafeFetch(options)), [])
})

for (const [flaw, sabotage] of Object.entries(FLAWED_DOORS)) {
  t.test(`a door that is wrong is caught: ${flaw}`, async (t) => {
    const opened: Outbound[] = []
    const open = sabotage((options) => {
      const right = openSsrfSafeFetch(options)
      opened.push(right)
      return right
    })
    const broken = await brokenPromises(outboundContract, async (options) => open(options), 3_000)
    for (const right of opened) await right.close()
    t.ok(broken.length > 0, 'at least one promise is broken')
    t.comment(broken.join('\n'))
  })
}
