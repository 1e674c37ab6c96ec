import t from 'tap'
import { loadedBy } from '../../fixtures/loaded-modules.ts'

/**
 * A thread starts for the first blog and after each task that exceeds a limit, so it should load only what it needs:
 * modules of TypeBox alone take a third of its start.
 */
t.test('rendering threads load neither schemas of requests nor the image service', async (t) => {
  const loaded = [...(await loadedBy('services/rendering/thread.ts'))]
  t.ok(loaded.includes('services/blogs/compose.ts'))
  for (const name of ['@sinclair/typebox', 'sharp', 'fastify', 'mongodb']) t.notOk(loaded.includes(name), name)
  t.notOk(loaded.includes('services/images/index.ts'))
})
