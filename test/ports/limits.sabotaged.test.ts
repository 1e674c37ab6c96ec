import t from 'tap'
import { brokenPromises } from '../contracts/contract.ts'
import { limitsContract } from '../contracts/limits.contract.ts'
import { createSetClock } from '../fixtures/limits/set-clock.ts'
import { FLAWS, openFlawedLimits } from '../fixtures/limits/flawed-limits.ts'
import type { Flaw } from '../fixtures/limits/flawed-limits.ts'

const broken = (flaw?: Flaw) =>
  brokenPromises(limitsContract, async () => {
    const clock = createSetClock()
    return { clock, limits: openFlawedLimits(clock.nowUs, flaw) }
  })

t.test('the plainest right way of counting keeps every promise', async (t) => {
  t.same(await broken(), [])
})

for (const flaw of FLAWS) {
  t.test(`a limiter that is wrong is caught: ${flaw}`, async (t) => {
    const titles = await broken(flaw)
    t.ok(titles.length > 0, 'at least one promise is broken')
    t.comment(titles.join('\n'))
  })
}
