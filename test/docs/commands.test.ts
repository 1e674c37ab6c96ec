import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PATTERNS = ['README.md', 'docs/*.md', 'docs/guides/*.md', 'examples/*/README.md', 'clients/*/README.md']
const DOCUMENTS = globSync(PATTERNS, { cwd: ROOT }).sort()
/** Documents whose commands are run one after another. */
const TUTORIALS = [
  'README.md',
  'docs/guides/blog-on-your-site.md',
  ...['astro', 'next', 'php', 'receivers'].map((name) => `examples/${name}/README.md`)
]
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
/** The blocks of shell commands, with continued lines joined. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , block]) => block!.replaceAll(/\\\n */g, ''))

t.test('the quick start and the tests of the README are commands for a new clone, in different sections', async (t) => {
  const sections = read('README.md').split(/^## /m)
  const sectionOf = (command: string) =>
    sections.filter((section) => commandsOf(section).some((block) => block.trim() === command))
  for (const [command, title] of [
    ['npm ci && npm start', 'Quick start'],
    ['npm ci && npm test', 'Development']
  ] as const) {
    t.strictSame(
      sectionOf(command).map((section) => section.split('\n', 1)[0]),
      [title],
      command
    )
  }
})

t.test('all documents start the service with the same addresses allowed', async (t) => {
  const starts = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/OUTBOUND_ALLOW=(\S*)/g)].map(([, value]) => ({ file, value }))
  )
  t.ok(starts.length >= 6)
  for (const { file, value } of starts) t.equal(value, 'localhost,127.0.0.1', file)
})

t.test('curl prints errors, but no progress', async (t) => {
  for (const file of DOCUMENTS) {
    for (const block of commandsOf(read(file))) t.notMatch(block, /\bcurl (?!-sS )/, `${file}: ${block}`)
  }
})

t.test('commands that create a post print only what matters', async (t) => {
  const posts = DOCUMENTS.flatMap((file) => commandsOf(read(file)))
    .flatMap((block) => block.split('\n'))
    .filter((line) => /\/api\/v1\/blogs" .*-d /.test(line))
  t.ok(posts.length >= 4)
  for (const line of posts) t.match(line, /\| node -pe '.*canonicalUrl \?\? detail'$/)
})

t.test('every document sets its variables before it uses them', async (t) => {
  for (const file of DOCUMENTS) {
    const known = new Set<string>()
    for (const line of commandsOf(read(file)).flatMap((block) => block.split('\n'))) {
      for (const [, name] of line.matchAll(/\$\{?([A-Z_]+)/g)) t.ok(known.has(name!), `${file}: ${name}`)
      for (const [, name] of line.matchAll(/\bexport ([A-Z_]+)=/g)) known.add(name!)
    }
  }
})

t.test('all documents set the variables of the examples in the same way, once', async (t) => {
  const settings = DOCUMENTS.flatMap((file) =>
    commandsOf(read(file)).flatMap((block) =>
      [...block.matchAll(/^export SVC_(URL|KEY|TOKEN)=(.*)$/gm)].map(([, name, value]) => ({ file, name, value }))
    )
  )
  const values = {
    URL: 'http://127.0.0.1:3000',
    KEY: 'svc_pk_…',
    TOKEN: '$(npm run --silent svc -- token --account demo)'
  }
  t.ok(settings.length >= 20)
  for (const { file, name, value } of settings) t.equal(value, values[name as keyof typeof values], file)
})

t.test('a tutorial has no comments after commands: some shells pass them to the program', async (t) => {
  for (const file of TUTORIALS) {
    for (const block of commandsOf(read(file))) t.notMatch(block, /\S +#/, file)
  }
})
