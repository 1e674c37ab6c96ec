// cspell:ignore CWORD COMPREPLY COMP
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { COMMANDS, commandsOf, GROUPS, SUBJECTS } from '../../../bin/svc/commands.ts'
import { formatCommandHelp, formatGeneralHelp, formatGroupHelp, helpWidth } from '../../../bin/svc/help.ts'
import { DEFAULT_SCOPES, OPTIONAL_SCOPES } from '../../../schemas/api-key.ts'
import { FEATURES, PLAN_NAMES } from '../../../schemas/account.ts'
import { SEO_PLUGINS, SHOP_FORMATS } from '../../../schemas/product.ts'
import { ENVIRONMENTS, VIEWPORT_NAMES } from '../../../schemas/visual-check.ts'
import { DEFAULT_SAMPLE } from '../../../bin/svc/optimize.ts'
import { temporaryFolder } from '../../helper.ts'
import { createSvc } from '../../processes.ts'

t.test('help fits terminals, and has columns', async (t) => {
  for (const width of [80, 120]) {
    const pages = Object.entries(COMMANDS).map(([name, command]) => formatCommandHelp(name, command, width))
    const groups = Object.keys(GROUPS).map((group) => formatGroupHelp(group, width))
    for (const page of [formatGeneralHelp(width), ...groups, ...pages]) {
      // Examples are not wrapped, so that they can be copied.
      const [wrapped = '', examples = ''] = page.split('\nExamples:\n')
      t.ok(page.length > 100)
      t.same(
        wrapped.split('\n').filter((line) => line.length > width),
        [],
        `at ${width} columns`
      )
      for (const line of examples.split('\n').filter((line) => line !== '')) t.match(line, /^ {2}(?:# [A-Z]|svc )/)
    }
  }
  t.match(formatGeneralHelp(80), /\n {2}keys create +Create an API key and print its value\.\n/)
  const help = formatCommandHelp('keys create', COMMANDS['keys create']!, 80)
  t.match(help, '\nUsage:\n  svc keys create --name NAME [options]\n')
  t.match(help, /\n {2}--expires-at TIME {2}When the key expires, such as 2027-01-31\. Default: never\n/)
  const narrow = formatCommandHelp('keys create', COMMANDS['keys create']!, 60)
  t.match(narrow, /\n {2}--expires-at TIME {2}When the key expires, such as\n {21}2027-01-31\. Default: never\n/)
  t.match(help, /\n {2}--name NAME +A label for the key \(required\)\n/)
  t.match(help, /\n {2}-h, --help +Show help\n/)
  t.match(formatCommandHelp('check', COMMANDS.check!, 80), /\n {2}--viewport mobile\|desktop +Check only this/)
  t.same([undefined, 20, 90, 300].map(helpWidth), [80, 60, 90, 120])
})

t.test('the help of a command is complete', async (t) => {
  for (const [name, { load, summary, options }] of Object.entries(COMMANDS)) {
    t.type(await load(), 'function', name)
    t.match(summary, /^[A-Z].*\.$/, name)
    const descriptions = Object.values(options).map(({ description }) => description)
    t.same(
      descriptions.filter((description) => !/^[A-Z].*[^.]$/.test(description)),
      [],
      name
    )
  }
  const valuesOf = (name: string, option: string) => COMMANDS[name]!.options[option]!.values
  t.same(COMMANDS['account set-plan']!.argumentValues, PLAN_NAMES)
  t.same(COMMANDS['account set-features']!.argumentValues, FEATURES)
  t.same(valuesOf('export products', 'format'), SHOP_FORMATS)
  t.same(valuesOf('export products', 'seo-plugin'), SEO_PLUGINS)
  t.same(valuesOf('check', 'environment'), ENVIRONMENTS)
  t.same(valuesOf('check', 'viewport'), VIEWPORT_NAMES)
  const [, defaults, others] = /Default: (.*)\. Others: (.*)$/.exec(
    COMMANDS['keys create']!.options.scopes!.description
  )!
  t.strictSame([defaults, others], [DEFAULT_SCOPES.join(', '), OPTIONAL_SCOPES.join(', ')])
  t.strictSame(SUBJECTS.flatMap(([, names]) => names).toSorted(), Object.keys(COMMANDS).toSorted())
  t.match(COMMANDS.optimize!.options.sample!.description, `Default: ${DEFAULT_SAMPLE}`)
})

t.test('the help of a group lists its commands', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const firstWords = Object.keys(COMMANDS).flatMap((name) => (name.includes(' ') ? name.split(' ', 1) : []))
  const groups = [...new Set(firstWords)].filter((word) => !Object.hasOwn(COMMANDS, word))
  t.strictSame(Object.keys(GROUPS).sort(), groups.sort(), 'every group has a sentence')
  for (const group of groups) {
    const { code, out } = await svc(group, '--help')
    t.equal(code, 0)
    t.equal(out, (await svc('help', group)).out)
    const listed = [...out.matchAll(/^ {2}(\w+ [a-z-]+) {2,}[A-Z]/gm)].map(([, name]) => name)
    t.strictSame(listed, commandsOf(group), group)
  }
  t.match((await svc('webhooks', '--help')).out, /\n {2}svc webhooks COMMAND \[arguments\] \[options\]\n/)
  const { out } = await svc('queues', '--help')
  t.match(out, /\nRelated commands:\n {2}queues dead +List .*\n[^]* {2}queues retry +Retry /, 'a command with others')
})

t.test('"svc help COMMAND" and "svc COMMAND --help" are the same', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const { code, out } = await svc('help', 'keys', 'create')
  t.equal(code, 0)
  t.equal(out, (await svc('keys', 'create', '--help')).out)
  t.match(out, 'Examples:')
})

t.test('Bash completes commands, options, values and files', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const { out: script } = await svc('completion', 'bash')
  async function complete(...words: string[]): Promise<string[]> {
    const quoted = ['svc', ...words].map((word) => `'${word}'`).join(' ')
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(${quoted}) COMP_CWORD=${words.length}\n_svc\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    ])
    return stdout.split('\n').filter((word) => word !== '')
  }
  t.same(await complete('ke'), ['keys'])
  t.same(await complete('keys', ''), ['create', 'list'])
  t.same(await complete('keys', 'create', '--exp'), ['--expires-at'])
  t.same(await complete('check', '--viewport', ''), ['mobile', 'desktop'])
  t.same(await complete('check', '--vi'), ['--viewport'])
  t.same(await complete('account', 'set-plan', 'acme', 'sa'), ['sage', 'samurai'])
  t.ok((await complete('import', '')).includes('blogs'))
  t.ok((await complete('import', 'products', 'package.j')).includes('package.json'), 'files of the working directory')
  t.ok((await complete('')).includes('webhooks'))
  t.match(await svc('completion', 'tcsh'), { code: 2, err: /SHELL must be bash, zsh or fish/ })
})
