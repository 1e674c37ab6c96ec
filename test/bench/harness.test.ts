import t from 'tap'
import { measureInTurn } from '../../bench/harness/in-turn.ts'
import { formatReport, type BenchReport } from '../../bench/harness/report.ts'
import { formatNumber, median, percentile } from '../../bench/harness/statistics.ts'

t.test('sides are measured in turn, in the reverse order in every second round', async (t) => {
  const order: string[] = []
  const side = (name: string) => ({
    name,
    measure: async () => {
      order.push(name)
      return await Promise.resolve(order.length)
    }
  })
  const values = await measureInTurn([side('a'), side('b')], 3)
  t.equal(order.join(''), 'ababbaab', 'the first two are the warm-up')
  t.same(values.get('a'), [3, 6, 7], 'the warm-up does not count')
  order.length = 0
  t.same((await measureInTurn([side('a'), side('b')], 1, { warmUps: 2 })).get('b'), [6])
  await t.rejects(measureInTurn([side('a'), side('a')], 1), { message: 'Two sides have the same name' })
})

t.test('medians and percentiles', async (t) => {
  t.equal(median([5, 1, 9]), 5)
  t.equal(median([1, 2, 4, 9]), 3)
  t.ok(Number.isNaN(median([])))
  t.equal(percentile([4, 1, 3, 2], 0.5), 2)
  t.equal(
    percentile(
      Array.from({ length: 200 }, (_, i) => i + 1),
      0.99
    ),
    198
  )
  t.equal(percentile([7], 0.99), 7)
  t.same([12_345.6, 0.012_345, 99.96, 0, Number.NaN].map(formatNumber), ['12,346', '0.0123', '100', '0', '–'])
})

t.test('a report has the ratio of the medians, and the ratios of single rounds', async (t) => {
  const report: BenchReport = {
    name: 'reads',
    summary: 'Reads.',
    command: 'npm run bench -- reads',
    at: '2026-01-01T00:00:00.000Z',
    machine: {
      version: '1.0.0',
      commit: 'abc',
      node: 'v26.0.0',
      platform: 'linux',
      cpu: 'CPU',
      cores: 2,
      memoryGb: 8,
      profile: 'embedded'
    },
    load: { before: 0.1, after: 1.9 },
    options: { rounds: 3, seconds: 4, scale: 1, save: false },
    rows: [
      {
        name: 'by slug',
        unit: 'requests/s',
        values: [50, 70, 60],
        baseline: { name: 'bare Fastify', values: [100, 100, 80] },
        extra: { p99: '4 ms' }
      },
      { name: 'start', unit: 'ms', values: [400] }
    ]
  }
  const lines = formatReport(report).split('\n')
  t.ok(lines.includes('| by slug | 60 requests/s | 50 to 70 | bare Fastify | 100 | 0.6 | 0.5 to 0.75 | 4 ms |'))
  t.ok(lines.includes('| start | 400 ms | 400 to 400 | – | – | – | – | – |'))
  t.match(lines.at(-2), /3 rounds\. Version 1\.0\.0, commit abc, Node v26.*Load average 0\.1 before, 1\.9 after\./)
  const single = formatReport({ ...report, rows: [report.rows[1]!] })
  t.ok(single.split('\n').includes('| start | 400 ms | – | – | – |'), 'a single value has no range')
})
