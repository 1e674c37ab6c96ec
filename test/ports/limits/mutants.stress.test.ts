import t from 'tap'
import { failingCases } from '../../contracts/contract.ts'
import { limitsContract } from '../../contracts/limits.contract.ts'
import { MUTANTS, openMutant } from '../../fixtures/limits/mutants.ts'
import type { Mutant } from '../../fixtures/limits/mutants.ts'
import { createSetClock } from '../../fixtures/limits/set-clock.ts'

const broken = (mutant?: Mutant) =>
  failingCases(limitsContract, async () => {
    const clock = createSetClock()
    return { clock, limits: openMutant(clock.nowUs, mutant) }
  })

t.test('the simplest correct limiter passes every contract case', async (t) => {
  t.same(await broken(), [])
})

for (const mutant of MUTANTS) {
  t.test(`the contract detects the mutant: ${mutant}`, async (t) => {
    const titles = await broken(mutant)
    t.ok(titles.length > 0, 'at least one case fails')
    t.comment(titles.join('\n'))
  })
}
