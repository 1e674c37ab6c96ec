import t from 'tap'
import { startCountingProcess } from '../../fixtures/limits/counting-processes.ts'
import { dropKeys, freshPrefix } from '../../fixtures/limits/redis.ts'
import { createCounts, runSchedule } from '../../fixtures/limits/schedule.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'

const url = process.env.TEST_REDIS_URL ?? ''
const skip = url === '' ? 'TEST_REDIS_URL names no Redis' : false
/** 10,000 in the full stress test. */
const SCHEDULES = Number(process.env.LIMITS_SCHEDULES ?? 500)
const PROCESSES = 8
const AT_ONCE = 64

const seed = Number(process.argv[2] ?? Date.now() % 2 ** 32)

t.test(
  `${SCHEDULES} random schedules of ${PROCESSES} processes over one Redis match the oracle (seed ${seed})`,
  { skip, timeout: 900_000 },
  async (t) => {
    const prefix = freshPrefix()
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () => startCountingProcess({ url, prefix, clock: 'set' }))
    )
    t.teardown(async () => {
      for (const one of processes) one.end()
      await dropKeys(url, prefix)
    })
    const counts = createCounts()
    let next = 0
    async function lane(): Promise<void> {
      while (next < SCHEDULES) {
        const schedule = next++
        const random = createSeededRandom(seed + schedule)
        const anyProcess = () => processes[Math.floor(random() * PROCESSES)]!
        await runSchedule({
          name: `schedule-${schedule}`,
          random,
          counts,
          askTogether: (request, nowUs, times) =>
            Promise.all(
              Array.from({ length: times }, () =>
                anyProcess()
                  .ask(request, nowUs)
                  .then(({ result }) => result)
              )
            )
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    t.comment(JSON.stringify(counts))
    const { decisions, refused, retries, retriesAtReset, ...wrong } = counts
    t.ok(
      Object.values(wrong).every((count) => count === 0),
      JSON.stringify(wrong)
    )
    t.ok(decisions > 40 * SCHEDULES, `${decisions} decisions`)
    t.ok(refused > decisions / 20, `${refused} of them are rejections`)
    t.ok(retries > SCHEDULES && retriesAtReset > SCHEDULES, `${retries} retries, ${retriesAtReset} of them at Reset`)
  }
)
