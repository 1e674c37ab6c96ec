import fp from 'fastify-plugin'
import type { JobName } from '../schemas/jobs.ts'
import { parseWorkers } from './config.ts'
import { accountOf } from '../ports/queue/policy.ts'
import { processLoad } from '../services/account-load.ts'
import { workers } from '../workers/index.ts'
import { parseLimits } from '../workers/limits.ts'

/** A run waits at most so many milliseconds for accounts that used less time, so that slots do not stay occupied. */
const MAX_START_WAIT_MS = 100

export default fp(
  async (app) => {
    const { config, queue, services } = app
    if (config.ROLE === 'api') return
    const all = Object.keys(workers) as JobName[]
    const named = parseWorkers(config.WORKERS)
    const chosen = named.length === 0 ? all : all.filter((name) => named.includes(name))
    const { limits } = parseLimits(config.WORKER_CONCURRENCY)
    const sliceMs = config.WORKER_SLICE_SECONDS * 1000
    const start = <N extends JobName>(name: N) => {
      const { run, ...policy } = workers[name]
      queue.work(name, { ...policy, ...limits.get(name), sliceMs }, async (job) => {
        const accountId = accountOf(job.payload)
        await processLoad.giveWay(accountId, MAX_START_WAIT_MS)
        return await processLoad.run(accountId, () => run(job, services))
      })
    }
    for (const name of chosen) start(name)
    const sweep = () => {
      queue.add('sweep', {}, { key: 'sweep' }).catch((error: unknown) => {
        app.log.error({ err: error }, 'could not start the sweeper')
      })
    }
    const timer = setInterval(sweep, config.SWEEP_INTERVAL_SECONDS * 1000).unref()
    app.addHook('onReady', async () => {
      sweep()
    })
    app.addHook('onClose', async () => {
      clearInterval(timer)
    })
  },
  { name: 'workers', dependencies: ['config', 'services', 'queue'] }
)
