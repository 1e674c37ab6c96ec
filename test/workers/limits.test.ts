import t from 'tap'
import { parseConfig } from '../../plugins/config.ts'
import { workers } from '../../workers/index.ts'
import { parseLimits } from '../../workers/limits.ts'

t.test('the limits of a job are read from the setting', async (t) => {
  const { limits, problems } = parseLimits(' import-products=8/3, deliver-webhooks=500/100,sweep=1/1 ,')
  t.same(problems, [])
  t.same(
    [...limits],
    [
      ['import-products', { concurrency: 8, accountConcurrency: 3 }],
      ['deliver-webhooks', { concurrency: 500, accountConcurrency: 100 }],
      ['sweep', { concurrency: 1, accountConcurrency: 1 }]
    ]
  )
  t.equal(parseLimits('').limits.size, 0)
})

t.test('each invalid entry is reported with what to write instead', async (t) => {
  const problemOf = (text: string) => parseLimits(text).problems.join('\n')
  t.match(problemOf('import-products=4'), /"import-products=4" is not <job>=<in one process>\/<of one account>/)
  t.match(problemOf('imports=4/2'), /there is no job "imports"\. The jobs are publish-blog/)
  t.match(problemOf('import-products=4/0'), /must be from 1 to 10000/)
  t.match(problemOf('import-products=20000/2'), /must be from 1 to 10000/)
  t.match(problemOf('import-products=4/4'), /one account to occupy all workers.*at most 3/)
  t.match(problemOf('sweep=1/2'), /at most 1/)
  t.match(problemOf('sweep=1/1,sweep=1/1'), /"sweep" is repeated/)
  t.equal(parseLimits('a,b=1/1').problems.length, 2)
})

t.test('invalid limits prevent the start', async (t) => {
  t.throws(() => parseConfig({ WORKER_CONCURRENCY: 'import-products=2/2' }), /WORKER_CONCURRENCY/)
  t.throws(() => parseConfig({ WORKER_SLICE_SECONDS: '5' }), /WORKER_SLICE_SECONDS must be <= 2/)
})

t.test('by default, no account can occupy all workers of a job that serves accounts', async (t) => {
  for (const [name, { concurrency, accountConcurrency }] of Object.entries(workers)) {
    t.ok(name === 'sweep' || accountConcurrency < concurrency, name)
  }
})
