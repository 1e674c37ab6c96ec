import t from 'tap'
import { newId } from '../../../services/ids.ts'
import { createCheckQuota } from '../../../services/visual-checks/quota.ts'
import { startApp } from '../../helper.ts'

t.test('the slow checks of an account do not keep others from checking', async (t) => {
  const { store, queue, limits } = await startApp(t)
  const depth = { waiting: 3, due: 3, running: 1, failed: 0, oldestMs: 80_000 }
  const quota = createCheckQuota({ store, limits, checksPerHour: 0, queue: { ...queue, depth: async () => depth } })
  const request = {
    id: newId(),
    accountId: 'other',
    projectId: 'site',
    blogId: newId(),
    url: 'https://site.example/post',
    environment: null,
    trigger: 'api',
    viewports: ['mobile'],
    detail: 'standard'
  } as unknown as Parameters<typeof quota.add>[0]
  t.match(await quota.add(request), { accountId: 'other', status: 'queued' })
  depth.waiting = 25
  await t.rejects(quota.add({ ...request, id: newId() }), { code: 'busy' }, 'many wait for a long time')
  const another = { ...request, id: newId(), accountId: 'another' }
  t.match(await quota.add(another), { status: 'queued' }, 'an account without a check can have one')
})
