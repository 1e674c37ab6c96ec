import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openFile, parseCheckOptions, saveReport } from '../../../../bin/svc/check/check.ts'
import { explainWaiting, waitForCheck } from '../../../../bin/svc/check/client.ts'
import { failureOf } from '../../../../bin/svc/check/result.ts'
import type { OptionValues } from '../../../../bin/svc/command.ts'
import { temporaryFolder } from '../../../helper.ts'
import { createSvc } from '../../../processes.ts'
import type { VisualCheck } from '../../../../schemas/visual-check.ts'
import { sampleCheck } from '../../../fixtures/visual-check/sample-check.ts'

const PAGE = 'https://shop.example/blog/which-tire-width'

t.test('usage errors name the option and its valid values', (t) => {
  const wrong: [RegExp, string[], OptionValues][] = [
    [/^A URL and --blog are required, or --sitemap\.$/, [], { blog: 'a' }],
    [/^URL must start with http:\/\/ or https:\/\/; got "shop\.example"\.$/, ['shop.example'], { blog: 'a' }],
    [/^URL must start with/, ['file:///etc/passwd'], { blog: 'a' }],
    [/^--blog is required: the slug of the published blog/, [PAGE], {}],
    [/^--blog is required: the slug of the published blog/, [PAGE], { blog: '' }],
    [/^--environment must be one of staging, live; got "test"\.$/, [PAGE], { blog: 'a', environment: 'test' }],
    [/^--viewport must be one of mobile, desktop; got "tablet"\.$/, [PAGE], { blog: 'a', viewport: 'tablet' }],
    [/^--format must be one of text, json, junit, sarif; got "xml"\.$/, [PAGE], { blog: 'a', format: 'xml' }],
    [/^--sitemap and a URL cannot be combined\.$/, [PAGE], { sitemap: PAGE }],
    [/^--blog and --sitemap cannot be combined\.$/, [], { sitemap: PAGE, blog: 'a' }],
    [/^--sitemap must start with http:\/\//, [], { sitemap: 'sitemap.xml' }],
    ...['101', '-1', '9.5', '', 'ten', '1e2'].map((n): [RegExp, string[], OptionValues] => [
      /^--fail-under must be a whole number from 0 to 100\.$/,
      [PAGE],
      { blog: 'a', 'fail-under': n }
    ])
  ]
  for (const [message, words, values] of wrong) {
    t.throws(() => parseCheckOptions(words, values), { name: 'UsageError', message })
  }
  t.end()
})

t.test('a usage error exits with 2 before anything is opened, and help lists every option', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  t.match(await svc('check', PAGE, '--blog', 'tires', '--fail-under', '101'), {
    code: 2,
    out: '',
    err: '--fail-under must be a whole number from 0 to 100.\nRun "svc check --help" for usage.\n'
  })
  t.match(await svc('check', PAGE, '--blgo', 'tires'), {
    code: 2,
    err: /^Unknown option --blgo\. Did you mean --blog\?\n/
  })
  t.strictSame(readdirSync(data), [])
  const help = await svc('check', '--help')
  for (const option of [
    '--blog',
    '--project',
    '--account',
    '--environment',
    '--viewport',
    '--fail-under',
    '--open',
    '--format',
    '--sitemap'
  ]) {
    t.ok(help.out.includes(option), option)
  }
})

t.test('options become the request; omitted options are left to the service', (t) => {
  t.strictSame(parseCheckOptions([PAGE], { blog: 'tires' }), {
    account: 'demo',
    page: { url: PAGE, slug: 'tires' },
    sitemap: null,
    project: undefined,
    input: { screenshots: 'thumbs' },
    failUnder: null,
    format: 'text',
    open: false
  })
  t.strictSame(
    parseCheckOptions([PAGE], {
      blog: 'tires',
      project: 'shop',
      account: 'acme',
      environment: 'staging',
      viewport: 'mobile',
      'fail-under': '0',
      open: true
    }),
    {
      account: 'acme',
      page: { url: PAGE, slug: 'tires' },
      sitemap: null,
      project: 'shop',
      input: { environment: 'staging', viewports: ['mobile'], screenshots: 'full' },
      failUnder: 0,
      format: 'text',
      open: true
    }
  )
  t.match(parseCheckOptions([], { sitemap: 'https://shop.example/sitemap.xml', format: 'junit' }), {
    page: null,
    sitemap: 'https://shop.example/sitemap.xml',
    format: 'junit'
  })
  t.end()
})

t.test('a check fails below --fail-under, without a score, and if the page could not be opened', (t) => {
  const failure = (status: VisualCheck['status'], overallScore: number | null, failUnder: number | null) =>
    failureOf({ status, overallScore, reason: status === 'completed' ? null : 'No server answered.' }, failUnder)
  t.equal(failure('completed', 3, null), null)
  t.equal(failure('unreachable', 0, null), 'No server answered.')
  t.equal(failure('completed', 90, 90), null)
  t.equal(failure('completed', 89, 90), 'The score 89 is lower than 90.')
  t.equal(failure('failed', null, 0), 'No server answered.')
  t.equal(failure('completed', 0, 0), null)
  t.end()
})

t.test('waits until the check has finished', async (t) => {
  const states = (['queued', 'running', 'running', 'completed'] as const).map((status) => ({ ...sampleCheck, status }))
  const notes: string[] = []
  let asked = 0
  const client = {
    request: async () => states[0]!,
    find: async () => states[++asked]!,
    report: async () => Buffer.from(''),
    queue: async () => null
  }
  t.equal(
    (
      await waitForCheck(client, states[0]!, (line) => {
        notes.push(line)
      })
    ).status,
    'completed'
  )
  t.equal(asked, 3)
  t.strictSame(notes, [])
})

t.test('the reason for waiting follows from the state of the queue', async (t) => {
  const none = { waiting: 0, due: 0, running: 0 }
  for (const [queue, sentence] of [
    [null, /the queue does not respond/],
    [{ ...none, waiting: 1, due: 1 }, /no worker has started the check; start one with ROLE=worker npm start$/],
    [{ waiting: 3, due: 3, running: 2 }, /busy with other checks \(2 running, 3 due\)/],
    [{ ...none, waiting: 1 }, /an attempt failed and will be retried/],
    [none, /the check is not in the queue; a worker adds it within a minute/]
  ] as const) {
    t.match(explainWaiting(queue), sentence)
  }
})

t.test('only the user can read the report', async (t) => {
  const file = await saveReport(Buffer.from('<h1>Serious problems</h1>'))
  t.teardown(() => {
    rmSync(path.dirname(file), { recursive: true })
  })
  t.match(readFileSync(file, 'utf8'), '<h1>Serious problems</h1>')
  if (process.platform === 'win32') return
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
})

t.test(
  'the report is opened with the default program, and a missing program is detected',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const folder = temporaryFolder(t)
    const before = process.env.PATH
    t.teardown(() => {
      process.env.PATH = before
    })
    process.env.PATH = folder
    t.equal(await openFile('/tmp/report one.html'), false)
    const opener = path.join(folder, 'xdg-open')
    const opened = path.join(folder, 'opened')
    writeFileSync(opener, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`)
    chmodSync(opener, 0o700)
    t.equal(await openFile('/tmp/report one.html; echo $HOME'), true)
    for (let tries = 0; tries < 100 && (!existsSync(opened) || readFileSync(opened, 'utf8') === ''); tries++) {
      await wait(20)
    }
    t.equal(readFileSync(opened, 'utf8'), '/tmp/report one.html; echo $HOME', 'passed as one argument, without a shell')
  }
)
