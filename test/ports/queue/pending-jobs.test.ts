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
