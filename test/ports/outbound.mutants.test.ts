import t from 'tap'
import { openSsrfSafeFetch } from '../../ports/outbound/ssrf-safe-fetch/index.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import { failingCases } from '../contracts/contract.ts'
import { outboundContract } from '../contracts/outbound.contract.ts'
import { OUTBOUND_MUTANTS } from '../fixtures/outbound/mutants.ts'

// All cases run at once here. This alone must not make any case fail.
t.test('the SSRF-safe fetch passes every case of the contract', async (t) => {
  t.same(await failingCases(outboundContract, async (options) => openSsrfSafeFetch(options)), [])
})

// Most cases wait for timeouts, so several mutants run at a time.
t.jobs = 4
for (const [mutant, mutate] of Object.entries(OUTBOUND_MUTANTS)) {
  t.test(`the contract detects the mutant: ${mutant}`, { buffered: true }, async (t) => {
    const opened: Outbound[] = []
    const open = mutate((options) => {
      const right = openSsrfSafeFetch(options)
      opened.push(right)
      return right
    })
    const broken = await failingCases(outboundContract, async (options) => open(options), 3_000)
    for (const right of opened) await right.close()
    t.ok(broken.length > 0, 'at least one case fails')
    t.comment(broken.join('\n'))
  })
}
