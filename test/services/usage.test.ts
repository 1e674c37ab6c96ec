import t from 'tap'
import { createUsage } from '../../services/usage.ts'
import { startApp } from '../helper.ts'

t.test('request counts that could not be saved are saved later, exactly once', async (t) => {
  const app = await startApp(t)
  const { usage } = app.store
  let broken = true
  const store = {
    ...app.store,
    usage: {
      ...usage,
      add: async (counts: Parameters<typeof usage.add>[0]) => {
        if (broken) throw new Error('the disk is away')
        await usage.add(counts)
      }
    }
  }
  const counter = createUsage({ store })
  const at = Date.now()
  counter.count('acme', true, at)
  counter.count('acme', false, at)
  await t.rejects(counter.flush(), /the disk is away/)
  counter.count('acme', true, at)
  broken = false
  await counter.flush()
  await counter.flush()
  t.match(await counter.hours('acme'), [{ requests: 2, refused: 1 }])
})
