import path from 'node:path'
import t from 'tap'
import { openSsrfSafeFetch } from '../../ports/outbound/ssrf-safe-fetch/index.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import { failingCases, firstFailingCase } from '../contracts/contract.ts'
import { Detections } from '../contracts/detections.ts'
import { outboundContract } from '../contracts/outbound.contract.ts'
import { OUTBOUND_MUTANTS } from '../fixtures/outbound/mutants.ts'

// All cases run at once here. This alone must not make any case fail.
t.test('the SSRF-safe fetch passes every case of the contract', async (t) => {
  t.same(await failingCases(outboundContract, async (options) => openSsrfSafeFetch(options)), [])
})

const detections = new Detections(path.resolve(import.meta.dirname, '../fixtures/outbound/detections.json'))
t.teardown(() => detections.save())

// Cases wait for timeouts, so many mutants run at a time.
t.jobs = 16
for (const [mutant, mutate] of Object.entries(OUTBOUND_MUTANTS)) {
  t.test(`the contract detects the mutant: ${mutant}`, { buffered: true }, async (t) => {
    const opened: Outbound[] = []
    const open = mutate((options) => {
      const right = openSsrfSafeFetch(options)
      opened.push(right)
      return right
    })
    const cases = detections.order(mutant, outboundContract)
    const detectedBy = await firstFailingCase(cases, async (options) => open(options), 3_000)
    for (const right of opened) await right.close()
    t.not(detectedBy, null, `detected by: ${detectedBy}`)
    if (detectedBy !== null) detections.add(mutant, detectedBy)
  })
}
