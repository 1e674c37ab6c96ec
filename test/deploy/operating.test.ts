import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { COMMANDS } from '../../bin/svc/commands.ts'
import { INDEXES } from '../../ports/store/mongodb/indexes.ts'
import { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { secondsToStop } from './deployed.ts'
import { ROOT } from './dockerfile.ts'

const page = readFileSync(path.join(ROOT, 'docs/operating.md'), 'utf8')

t.test('the operations page names only existing settings, jobs and commands', async (t) => {
  // Uppercase words that are not settings: variables of Node and of examples, and placeholders.
  const others = ['NODE_EXTRA_CA_CERTS', 'SVC_URL', 'SVC_KEY', 'YOUR-IMAGE', 'SIGTERM', 'FILE', 'JOB', 'OLD', 'NEW']
  for (const [, name = ''] of page.matchAll(/\b([A-Z][A-Z]+(?:_[A-Z]+)+)\b/g)) {
    t.ok(name in Config.properties || others.includes(name), name)
  }
  for (const [, job = ''] of page.matchAll(/`((?:[a-z]+-)+[a-z]+)`(?=[,. |])/g)) {
    if (/-(products|deliveries|webhooks|events|related|blog|images)$/.test(job) && !job.startsWith('worker-')) {
      t.ok(job in Jobs, job)
    }
  }
  for (const job of Object.keys(Jobs)) t.ok(page.includes(`\`${job}\``), `it names the worker of ${job}`)
  for (const [, words = ''] of page.matchAll(/\bsvc (?:-- )?((?:[a-z-]+ ?)+)/g)) {
    const name = words.trim()
    t.ok(
      name === 'help' ||
        Object.keys(COMMANDS).some(
          (command) =>
            name === command || name.startsWith(`${command} `) || command === name.split(' ').slice(0, 2).join(' ')
        ),
      `svc ${name}`
    )
  }
})

t.test('links of the operations page have targets', async (t) => {
  for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    t.ok(existsSync(path.join(ROOT, 'docs', link)), link)
  }
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(
    ([, text]) =>
      `#${text!
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-')}`
  )
  for (const [, anchor = ''] of page.matchAll(/\]\((#[^)]+)\)/g)) t.ok(headings.includes(anchor), anchor)
})

t.test('it lists the unique indexes that prevent sharding by account, and the stop timeout', async (t) => {
  const blockingIndexes = INDEXES.filter(
    ({ key, options }) => options?.unique === true && Object.keys(key as object)[0] !== 'accountId'
  ).map(({ collection, name }) => `${collection}.${name}`)
  t.strictSame(
    [...page.slice(page.indexOf('**Sharding**')).matchAll(/`(\w+\.\w+)`(?=,| \|)/g)].map(([, name]) => name).sort(),
    blockingIndexes.sort()
  )
  t.match(page, new RegExp(`\\b${secondsToStop()} s\\b`))
})
