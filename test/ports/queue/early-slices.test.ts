import t from 'tap'
import { openInProcessQueue } from '../../../ports/queue/in-process/index.ts'
import { endsSliceEarly } from './early-slices.ts'

t.test('a slice ends early when a job of an account waits whose runs take little time', async (t) => {
  const queue = openInProcessQueue()
  t.teardown(() => queue.close())
  await endsSliceEarly(t, queue)
})
