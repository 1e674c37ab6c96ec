import t from 'tap'
import { openRedisLimits } from '../../../ports/limits/redis/index.ts'
import { runCase } from '../../contracts/contract.ts'
import { limitsContract } from '../../contracts/limits.contract.ts'
import { dropKeys, freshPrefix } from '../../fixtures/limits/redis.ts'
import { createSetClock } from '../../fixtures/limits/set-clock.ts'

const url = process.env.TEST_REDIS_URL ?? ''
const skip = url === '' ? 'TEST_REDIS_URL names no Redis' : false
/** A busy machine is not what is tested here. */
const decisionTimeoutMs = 5_000

async function within(run: (prefix: string) => Promise<void>): Promise<void> {
  const prefix = freshPrefix()
  await run(prefix)
  await dropKeys(url, prefix)
}

t.test('over Redis with a test clock', { skip }, async (t) => {
  for (const one of limitsContract) {
    t.test(one.title, async (t) => {
      await within(async (prefix) => {
        await runCase(one, async () => {
          const clock = createSetClock()
          return { clock, limits: await openRedisLimits({ url, prefix, now: clock.nowUs, decisionTimeoutMs }) }
        })
      })
      t.pass('passed')
    })
  }
})

t.test('over Redis with its own clock', { skip }, async (t) => {
  for (const one of limitsContract.filter(({ clock }) => clock === 'any')) {
    t.test(one.title, async (t) => {
      await within(async (prefix) => {
        await runCase(one, async () => ({ limits: await openRedisLimits({ url, prefix, decisionTimeoutMs }) }))
      })
      t.pass('passed')
    })
  }
})
