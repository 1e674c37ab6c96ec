import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { readCheckOptions } from '../../../../bin/svc/checking/check-options.ts'
import { checkWaiting } from '../../../../bin/svc/checking/check-waiting.ts'
import { exitCodeOf } from '../../../../bin/svc/checking/exit-code.ts'
import { finishedCheck } from '../../../../bin/svc/checking/finished-check.ts'
import { openFile } from '../../../../bin/svc/checking/open-file.ts'
import { writeReport } from '../../../../bin/svc/checking/report-file.ts'
import type { Values } from '../../../../bin/svc/command.ts'
import { temporaryFolder } from '../../../helper.ts'
import { createSvc } from '../../../processes.ts'
import { sampleCheck } from '../../../services/visual-checks/sample-check.ts'

const PAGE = 'https://shop.example/blog/which-tyre-width'

t.test('a wrong call is told as such, with the option and what it takes', (t) => {
  const wrong: [RegExp, string[], Values][] = [
    [/^Name the one page to look at: svc check URL --blog SLUG$/, [], { blog: 'a' }],
    [/^Name the one page/, [PAGE, PAGE], { blog: 'a' }],
    [
      /^URL is an address that begins with http:\/\/ or https:\/\/, and "shop\.example" is none\.$/,
      ['shop.example'],
      { blog: 'a' }
    ],
    [/^URL is an address/, ['file:///etc/passwd'], { blog: 'a' }],
    [/^--blog names the published blog/, [PAGE], {}],
    [/^--blog names the published blog/, [PAGE], { blog: '' }],
    [/^--environment knows no "test"; there are staging, live\.$/, [PAGE], { blog: 'a', environment: 'test' }],
    [/^--viewport knows no "tablet"; there are mobile, desktop\.$/, [PAGE], { blog: 'a', viewport: 'tablet' }],
    ...['101', '-1', '9.5', '', 'ten', '1e2'].map((n): [RegExp, string[], Values] => [
      /^--fail-under is a whole number from 0 to 100\.$/,
      [PAGE],
      { blog: 'a', 'fail-under': n }
    ])
  ]
  for (const [message, words, values] of wrong) {
    t.throws(() => readCheckOptions(words, values), { name: 'UsageError', message })
  }
  t.end()
})

t.test('a wrong call ends with exit code 2 before anything is opened, and help tells of every option', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  t.match(await svc('check', PAGE, '--blog', 'tyres', '--fail-under', '101'), {
    code: 2,
    out: '',
    err: '--fail-under is a whole number from 0 to 100.\nSee svc help.\n'
  })
  t.match(await svc('check', PAGE, '--blgo', 'tyres'), { code: 2, err: /^Unknown option '--blgo'/ })
  t.strictSame(readdirSync(data), [])
  const help = await svc('check', '--help')
  for (const option of ['--blog', '--account', '--environment', '--viewport', '--fail-under', '--open']) {
    t.ok(help.out.includes(option), option)
  }
})

t.test('what is asked for is what the service is asked; what is left out is left to it', (t) => {
  t.strictSame(readCheckOptions([PAGE], { blog: 'tyres' }), {
    account: 'demo',
    slug: 'tyres',
    input: { url: PAGE, screenshots: 'thumbs' },
    failUnder: null,
    open: false
  })
  t.strictSame(
    readCheckOptions([PAGE], {
      blog: 'tyres',
      account: 'acme',
      environment: 'staging',
      viewport: 'mobile',
      'fail-under': '0',
      open: true
    }),
    {
      account: 'acme',
      slug: 'tyres',
      input: { url: PAGE, environment: 'staging', viewports: ['mobile'], screenshots: 'full' },
      failUnder: 0,
      open: true
    }
  )
  t.end()
})

t.test('a build fails below the score that it demands, and where there is no score', (t) => {
  t.equal(exitCodeOf({ status: 'completed', overallScore: 3 }, null), 0)
  t.equal(exitCodeOf({ status: 'blocked', overallScore: null }, null), 1)
  t.equal(exitCodeOf({ status: 'completed', overallScore: 90 }, 90), 0)
  t.equal(exitCodeOf({ status: 'completed', overallScore: 89 }, 90), 1)
  t.equal(exitCodeOf({ status: 'completed', overallScore: null }, 0), 1)
  t.equal(exitCodeOf({ status: 'completed', overallScore: 0 }, 0), 0)
  t.end()
})

t.test('a check is waited for until it has ended', async (t) => {
  const states = (['queued', 'running', 'running', 'completed'] as const).map((status) => ({ ...sampleCheck, status }))
  const notes: string[] = []
  let asked = 0
  const client = {
    request: async () => states[0]!,
    find: async () => states[++asked]!,
    picture: async () => null,
    queue: async () => null
  }
  t.equal(
    (
      await finishedCheck(client, states[0]!, (line) => {
        notes.push(line)
      })
    ).status,
    'completed'
  )
  t.equal(asked, 3)
  t.strictSame(notes, [])
})

t.test('for what a check waits is told by what the queue knows', async (t) => {
  const none = { waiting: 0, due: 0, running: 0 }
  for (const [queue, sentence] of [
    [null, /the queue does not answer/],
    [{ ...none, waiting: 1, due: 1 }, /no worker has taken the check yet; start one with ROLE=worker npm start$/],
    [{ waiting: 3, due: 3, running: 2 }, /busy with other checks \(2 running, 3 due\)/],
    [{ ...none, waiting: 1 }, /an attempt failed and is made again/],
    [none, /the queue has lost the check; a worker adds it again within a minute/]
  ] as const) {
    t.match(checkWaiting(queue), sentence)
  }
})

t.test('the report is written for its owner alone', async (t) => {
  const file = await writeReport(sampleCheck, new Map())
  t.teardown(() => {
    rmSync(path.dirname(file), { recursive: true })
  })
  t.match(readFileSync(file, 'utf8'), '<h1>Serious flaws</h1>')
  if (process.platform === 'win32') return
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
})

t.test(
  'the report is opened by the program of the machine, and a machine without one is told of',
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
    t.equal(readFileSync(opened, 'utf8'), '/tmp/report one.html; echo $HOME', 'as one word, by no shell')
  }
)
