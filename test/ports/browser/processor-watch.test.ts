import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createProcessorWatch } from '../../../ports/browser/playwright/process/processor-watch.ts'
import { findDescendants } from '../../../ports/browser/playwright/process/process-tree.ts'

const linux = process.platform === 'linux' && readdirSync('/proc').includes('self') ? {} : { skip: 'needs /proc' }

/** Starts six busy processes, and ten more when it gets a line. They end with their group. */
const SCRIPT = `
start() { for _ in $(seq $1); do (while :; do :; done) & done; }
start 6; read -r _; start 10; wait`

t.test('many threads are recognized although they use little beside others, once they are slowed', linux, async (t) => {
  const child = spawn('nice', ['-n', '15', 'bash', '-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  t.teardown(() => process.kill(-child.pid!, 'SIGKILL'))
  const clock = { ms: 0 }
  const watch = createProcessorWatch({ pid: child.pid!, niceness: 15 }, () => clock.ms)
  const untilStarted = async (count: number) => {
    for (let looks = 0; looks < 400 && findDescendants(child.pid!).length < count; looks++) await wait(25)
  }
  await untilStarted(6)
  for (let looks = 0; looks < 200 && !watch.isSlowed(); looks++) {
    await wait(50)
    clock.ms += 10
    t.equal(watch.measure(), true, 'not too many')
  }
  t.equal(watch.isSlowed(), true)
  child.stdin.write('\n')
  await untilStarted(16)
  const results: boolean[] = []
  for (let looks = 0; looks < 20 && results.at(-1) !== false; looks++) {
    await wait(50)
    // Next to nothing of the time.
    clock.ms += 1_000_000
    results.push(watch.measure())
  }
  t.equal(results.at(-1), false)
})
