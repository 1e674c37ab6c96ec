import t from 'tap'
import { openMemoryLimits } from '../../../ports/limits/memory.ts'
import { createCounts, runSchedule } from '../../fixtures/limits/schedule.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { small } from '../../profile.ts'

const SCHEDULES = small ? 2_000 : 10_000

// The seed can be given to repeat a run that failed: tap test/ports/limits.oracle.test.ts
// --test-arg=<seed>
const seed = Number(process.argv[2] ?? Date.now() % 2 ** 32)

t.test(`${SCHEDULES} random schedules match the exact oracle (seed ${seed})`, async (t) => {
  const random = createSeededRandom(seed)
  const counts = createCounts()
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    let nowUs = 0
    const limits = openMemoryLimits({ now: () => nowUs })
    await runSchedule({
      name: 'b',
      random,
      counts,
      async askTogether(request, atUs, times) {
        nowUs = atUs
        return Array.from({ length: times }, () => limits.consume(request))
      }
    })
  }
  t.comment(JSON.stringify(counts))
  const { decisions, refused, retries, retriesAtReset, ...wrong } = counts
  t.ok(
    Object.values(wrong).every((count) => count === 0),
    JSON.stringify(wrong)
  )
  t.ok(decisions > 40 * SCHEDULES, `${decisions} decisions`)
  t.ok(refused > decisions / 20, `${refused} of them are rejections`)
  t.ok(retries > SCHEDULES, `${retries} retries`)
  t.ok(retriesAtReset > SCHEDULES, `${retriesAtReset} of them at Reset`)
})
