import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import t from 'tap'
import { renderSummary } from '../../../bin/svc/check/result.ts'
import { countOf, createProgressBar } from '../../../bin/svc/output.ts'
import { formatCounts } from '../../../bin/svc/transfer.ts'
import { formatEvent } from '../../../bin/svc/webhooks/events.ts'
import { sampleCheck } from '../../fixtures/visual-check/sample-check.ts'
import { temporaryFolder } from '../../helper.ts'
import { createSvc, serve } from '../../processes.ts'
import { scaled } from '../../profile.ts'

const NEVER_PLURAL =
  /\b1 (?:\w+ )?(?:rows|files|blogs|products|images|bytes|requests|pages|webhooks|secrets|lines|jobs)\b/

t.test('what a number counts is singular or plural', async (t) => {
  t.strictSame(
    [0, 1, 2, 1200].map((count) => countOf(count, 'row')),
    ['0 rows', '1 row', '2 rows', '1,200 rows']
  )
  t.equal(countOf(2, 'delivery', 'deliveries'), '2 deliveries')
  t.equal(formatCounts({ delivery: 1, blog: 1200 }), '1,200 blogs, 1 delivery')
  const event = { id: 'x', type: 'products.import.completed', sequence: 1, timestamp: '2027-01-31T09:00:00.000Z' }
  const line = formatEvent(
    { ...event, data: { processed: 1, failed: 0 } } as unknown as Parameters<typeof formatEvent>[0],
    ''
  )
  t.match(line, / 1 row, 0 failed$/)
  const summary = renderSummary([sampleCheck], { skipped: 1, unchecked: 0, failUnder: null }).at(-1)
  t.match(summary, /^1 page: .* · 1 other page of the sitemap shows no published blog$/)
})

t.test('the progress of one thing names it in the singular', async (t) => {
  const written: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString())
      done()
    }
  })
  createProgressBar(stream, 1, 'row').update(1)
  createProgressBar(stream, 10, 'row').update(10)
  t.match(written, [/ 1\/1 row {2}/, / 10\/10 rows {2}/])
})

t.test('commands about one thing name it in the singular', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  if (scaled) await serve(t, data)
  const write = (name: string, text: string) => {
    writeFileSync(path.join(data, name), text)
    return path.join(data, name)
  }
  const saved = path.join(data, 'failed.csv')
  for (const [args, sentence] of [
    [['import', 'products', write('one.csv', 'externalId,title\na,A\n')], /^1 row: 1 created/],
    [['import', 'products', write('bad.csv', 'externalId,title\na\n')], /the row has 1 cell, but the header has 2/],
    [['import', 'products', path.join(data, 'bad.csv')], /save the failed row, fix it and import it again\.$/m],
    [['import', 'products', path.join(data, 'bad.csv'), '--failed', saved], /The failed row was saved to /],
    [['optimize', '--project', 'default', '--force'], /^1 product queued$/m],
    [['optimize', '--project', 'default', '--dry-run'], /^1 of 1 product\. Nothing was saved\.$/m],
    [
      ['account', 'set-limits', 'demo', '--requests-per-hour', '1', '--blogs', '1', '--storage-bytes', '1'],
      /^limit +1 request per hour\nstorage +1 byte, 1 blog, 100,000 products/m
    ]
  ] as const) {
    const { out, err } = await svc(...args)
    t.match(out + err, sentence, args.join(' '))
    t.notMatch(out + err, NEVER_PLURAL, args.join(' '))
  }
})
