import t from 'tap'
import { createPendingJobs, type TakenJob } from '../../../ports/queue/in-process/pending-jobs.ts'

/** Jobs named like this: `a2` is a job of the account `a`. */
function createJobs({ concurrency, accountConcurrency }: { concurrency: number; accountConcurrency?: number }) {
  const clock = { ms: 1_000 }
  const jobs = createPendingJobs(
    () => () => {},
    () => {},
    () => clock.ms
  )
  jobs.limit(concurrency, accountConcurrency)
  const running = new Map<string, TakenJob>()
  return {
    clock,
    add(names: string) {
      for (const name of names.split(' ')) {
        jobs.add({ account: name[0]!, payload: name, attempt: 1, requestId: null }, 0)
      }
    },
    /** Starts as many as may run, and returns their names. */
    start() {
      const names: string[] = []
      while (running.size < concurrency) {
        const taken = jobs.take()
        if (taken === undefined) break
        running.set(taken.job.payload, taken)
        names.push(taken.job.payload)
      }
      return names.join(' ')
    },
    end(names: string) {
      for (const name of names.split(' ')) {
        jobs.release(running.get(name)!)
        running.delete(name)
      }
    }
  }
}

t.test('accounts with slow runs leave a quarter of the runs to others, for ten minutes', async (t) => {
  const { clock, add, start, end } = createJobs({ concurrency: 8, accountConcurrency: 4 })
  add('a1 a2 a3 a4 a5 b1 b2 b3 b4 b5')
  t.equal(start(), 'a1 b1 a2 b2 a3 b3 a4 b4')
  clock.ms += 6_001
  end('a1 a2 a3 a4 b1 b2 b3 b4')
  add('a6 a7 a8 b6 b7 b8')
  t.equal(start(), 'a5 b5 a6 b6 a7 b7', 'six of eight')
  add('c1 c2 c3')
  t.equal(start(), 'c1 c2', 'the rest is for others')
  end('c1')
  t.equal(start(), 'c3')
  end('c2 c3')
  t.equal(start(), '')
  end('a5')
  t.equal(start(), 'a8', 'and then slow accounts use their part again')
  clock.ms += 1
  end('b5 a6 b6 a7 b7')
  t.equal(start(), 'b8')
  end('a8 b8')
  clock.ms += 600_000
  add('a1 a2 a3 a4 b1 b2 b3 b4')
  t.equal(start(), 'a1 b1 a2 b2 a3 b3 a4 b4')
})

t.test('of many runs, a quarter is left to accounts with nothing running', async (t) => {
  const { add, start, end } = createJobs({ concurrency: 16, accountConcurrency: 10 })
  add('a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7 b8 b9')
  t.equal(start(), 'a1 b1 a2 b2 a3 b3 a4 b4 a5 b5 a6 b6')
  add('c1 c2 d1 e1')
  t.equal(start(), 'c1 d1 e1')
  end('a1 b1 c1')
  t.equal(start(), 'c2', 'twelve others run')
  end('a2 b2 a3')
  t.equal(start(), 'a7 b7')
  end('c2 d1 e1 a4')
  t.equal(start(), 'a8 b8 a9 b9', 'as soon as there is room')
})

t.test('a run counts as slow before it has ended', async (t) => {
  const { clock, add, start, end } = createJobs({ concurrency: 2, accountConcurrency: 1 })
  add('a1')
  start()
  clock.ms += 6_001
  end('a1')
  add('b1')
  t.equal(start(), 'b1')
  clock.ms += 6_001
  add('a2')
  t.equal(start(), '', 'one of two')
  add('c1')
  t.equal(start(), 'c1')
  end('b1')
  t.equal(start(), 'a2')
})

t.test('slow accounts leave one of two runs, and use the only one', async (t) => {
  for (const concurrency of [2, 1]) {
    const { clock, add, start, end } = createJobs({ concurrency, accountConcurrency: 1 })
    add('a1')
    t.equal(start(), 'a1')
    clock.ms += 7_000
    end('a1')
    add('b1')
    start()
    clock.ms += 7_000
    end('b1')
    add('a2 b2')
    t.equal(start(), 'a2', `${concurrency}`)
    end('a2')
    t.equal(start(), 'b2')
  }
})

t.test('a light account that waits is next, however many others wait', async (t) => {
  const { clock, add, start, end } = createJobs({ concurrency: 1 })
  for (const name of 'abcdefgh') {
    add(`${name}1`)
    t.equal(start(), `${name}1`)
    clock.ms += 1_000
    end(`${name}1`)
  }
  add('x1 a2 b2 c2 d2 e2 f2 g2 h2 y1 x2')
  const order = Array.from({ length: 11 }, () => {
    const name = start()
    end(name)
    return name
  })
  t.equal(order.join(' '), 'x1 y1 x2 a2 b2 c2 d2 e2 f2 g2 h2')
})

t.test('an account whose runs are short goes before others, however many it has', async (t) => {
  const { clock, add, start, end } = createJobs({ concurrency: 1 })
  const run = (name: string, ms: number): void => {
    add(name)
    t.equal(start(), name)
    clock.ms += ms
    end(name)
  }
  for (let count = 0; count < 20; count++) run(`a${count}`, 90)
  for (const name of ['b1', 'c1']) run(name, 1_000)
  add('b2 c2 a20')
  t.equal(start(), 'a20', 'although its runs took longer together')
})

t.test('a run that is continued is not short', async (t) => {
  const jobs = createPendingJobs(
    () => () => {},
    () => {},
    () => clock.ms
  )
  const clock = { ms: 0 }
  jobs.limit(1)
  const add = (account: string): void => jobs.add({ account, payload: account, attempt: 1, requestId: null }, 0)
  const run = (account: string, ms: number, isContinued: boolean): void => {
    add(account)
    const taken = jobs.take()!
    clock.ms += ms
    jobs.release(taken, isContinued)
  }
  for (let count = 0; count < 8; count++) run('a', 100, true)
  for (let count = 0; count < 8; count++) run('b', 100, false)
  add('a')
  add('b')
  t.equal(jobs.take()!.job.account, 'b')
})

t.test('at every eighth start, an account that is not light is next', async (t) => {
  const { clock, add, start, end } = createJobs({ concurrency: 1 })
  add('h1')
  start()
  clock.ms += 5_000
  end('h1')
  add('h2 a1 b1 c1 d1 e1 f1 g1 i1 j1')
  const order = Array.from({ length: 10 }, () => {
    const name = start()
    end(name)
    return name
  })
  t.equal(order.join(' '), 'a1 b1 c1 d1 e1 f1 g1 h2 i1 j1')
})

t.test('a light account waits while all runs are in progress', async (t) => {
  const jobs = createPendingJobs(
    () => () => {},
    () => {}
  )
  jobs.limit(1)
  const add = (account: string): void => jobs.add({ account, payload: '', attempt: 1, requestId: null }, 0)
  add('a')
  jobs.take()
  t.equal(jobs.isLightWaiting(), false)
  add('a')
  t.equal(jobs.isLightWaiting(), false, 'of the account that has the run')
  add('b')
  t.equal(jobs.isLightWaiting(), true)
})
