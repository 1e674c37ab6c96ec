import path from 'node:path'
import t from 'tap'
import { linesReporter, runFiles, tapReporter, totalsOf, type FileResult, type Reporter } from './runner.ts'

const fixture = (name: string): string => path.join(import.meta.dirname, `fixtures/runner/${name}.ts`)
let prepared = 0
let released = 0
const prepare = async () => {
  prepared += 1
  return {
    env: process.env,
    release: async () => {
      released += 1
    }
  }
}
const options = { prepare, jobs: 2, timeoutMs: 60_000 }
// It fails after half a second, and is killed two seconds later.
const hung = runFiles([fixture('hanging')], { ...options, timeoutMs: 500, killDelayMs: 2_000 })
const finished = await runFiles(['passing', 'failing', 'exiting', 'empty', 'skipped'].map(fixture), options)
const resultsOf = (...names: string[]): FileResult[] =>
  names.map((name) => finished.find(({ file }) => file === fixture(name))!)
const print = ({ result, summary }: Reporter, results: FileResult[]): string =>
  results.map(result).join('') + summary(totalsOf(results), 1234)

t.test('the assertions of all files are counted', async (t) => {
  t.match(totalsOf(resultsOf('passing')), { ok: true, passed: 2, failed: 0, skipped: 1, failedFiles: [] })
  const both = totalsOf(resultsOf('passing', 'failing'))
  t.match(both, { ok: false, passed: 3, failed: 1, skipped: 1, failedFiles: [fixture('failing')] })
})

t.test('a file fails that ends with an error, or tests nothing', async (t) => {
  const [exiting] = resultsOf('exiting')
  t.match(exiting, { passed: 1, failed: 0, error: 'exited with code 7' })
  const [empty] = resultsOf('empty')
  t.match(empty, { passed: 0, failed: 0, error: 'contains no assertion' })
  t.match(totalsOf([exiting!, empty!]), { ok: false, failed: 2 })
  t.equal(totalsOf([]).ok, false, 'a run without files fails, too')
})

t.test('a file may skip all of its tests', async (t) => {
  t.match(totalsOf(resultsOf('skipped')), { ok: true, passed: 0, failed: 0, skipped: 1 })
})

t.test('a file that exceeds its time limit fails and names the test', async (t) => {
  const [hanging] = await hung
  t.equal(totalsOf([hanging!]).ok, false)
  t.match(hanging!.output, /not ok 1 - .*a promise that is never settled/)
})

t.test('stopping a run ends the running file and starts no other', async (t) => {
  const stopping = new AbortController()
  const results = runFiles([fixture('hanging'), fixture('passing')], { ...options, jobs: 1, signal: stopping.signal })
  setTimeout(() => stopping.abort(), 200)
  t.match(await results, [{ file: fixture('hanging'), error: 'killed by SIGTERM' }])
  t.equal((await results).length, 1)
})

t.test('the report of a failed file contains its failures and nothing else', async (t) => {
  const lines = print(linesReporter(), resultsOf('failing'))
  t.match(lines, /^FAILED .*failing\.ts \(1 passed, 1 failed, \d+\.\d s\)\n/)
  t.match(lines, 'an assertion that fails')
  t.match(lines, 'stored value')
  t.notMatch(lines, /^ *ok /m)
  t.match(lines, /^1 passed, 1 failed, 0 skipped in 1\.2 s$/m)
})

t.test('the TAP report contains each file as a subtest', async (t) => {
  const tap = print(tapReporter(), resultsOf('passing', 'exiting'))
  t.match(tap, /^# Subtest: .*passing\.ts\n(?: {4}.*\n|\n)+ok 1 - .*passing\.ts # time=[\d.]+ms$/m)
  t.match(tap, /^ {8}ok 2 - the second assertion$/m)
  t.match(tap, /^not ok 2 - .*exiting\.ts # time=[\d.]+ms\n {2}---\n {2}error: "exited with code 7"$/m)
  t.match(tap, /^1\.\.2\n# \{ total: 5, pass: 3, fail: 1, skip: 1 \}\n# time=1234\.000ms$/m)
})

t.test('what was prepared for a file is released when it ends', async (t) => {
  const before = { prepared, released }
  const [result] = await runFiles([fixture('passing')], options)
  t.equal(result!.failed, 0)
  t.equal(prepared, before.prepared + 1)
  t.equal(released, before.released + 1)
})
