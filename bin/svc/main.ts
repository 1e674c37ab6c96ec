import { parseArgs } from 'node:util'
import { StartError } from '../../errors.ts'
import { parseConfig } from '../../plugins/config.ts'
import type { Config } from '../../schemas/config.ts'
import { accountSetFeatures, accountSetLimits, accountSetPlan, accountShow } from './account.ts'
import { openAdminClient, RequestError, type AdminClient } from './admin-client.ts'
import { check } from './check/check.ts'
import { UsageError, type Command, type CommandContext, type CommandStreams } from './command.ts'
import { config } from './config.ts'
import { exportProducts } from './export-products.ts'
import { exportCommand } from './export.ts'
import { importAll } from './import/all.ts'
import { importBlogs } from './import/blogs.ts'
import { importProducts } from './import/products.ts'
import { keysCreate, keysList } from './keys.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { optimize } from './optimize.ts'
import { queues, queuesDead, queuesRetry } from './queues.ts'
import { secretsAcceptKey, secretsRotateKey } from './secrets.ts'
import { token } from './token.ts'
import { webhooksListen } from './webhooks/listen.ts'

export const commands: Record<string, Command> = {
  token,
  'keys create': keysCreate,
  'keys list': keysList,
  'account show': accountShow,
  'account set-plan': accountSetPlan,
  'account set-limits': accountSetLimits,
  'account set-features': accountSetFeatures,
  'import products': importProducts,
  'import blogs': importBlogs,
  optimize,
  'webhooks listen': webhooksListen,
  check,
  'export products': exportProducts,
  export: exportCommand,
  import: importAll,
  'secrets rotate-key': secretsRotateKey,
  'secrets accept-key': secretsAcceptKey,
  queues,
  'queues dead': queuesDead,
  'queues retry': queuesRetry,
  migrate,
  openapi,
  config
}

const GLOBAL_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/**
 * Runs one command of the command line. Resolves with the exit code: 0 success, 1 failure, 2 wrong
 * usage. Rejects only for an unexpected error.
 */
export async function runCommand(argv: string[], streams: CommandStreams): Promise<number> {
  const { env, stdout, stderr } = streams
  const json = argv.includes('--json')
  let settings: Config | undefined
  let client: Promise<AdminClient> | undefined
  const readConfig = () => (settings ??= parseConfig(env))
  try {
    const { command, rest } = findCommand(argv)
    if (command === null || rest.includes('--help') || rest.includes('-h')) {
      stdout.write(command === null ? generalHelp() : commandHelp(command))
      return 0
    }
    return await command.run({
      ...streams,
      ...parseArguments(command, rest),
      json,
      config: readConfig,
      adminClient: () => (client ??= openAdminClient(env, readConfig())),
      print: (result, lines) => {
        stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
      },
      log: (line) => {
        stderr.write(`${line}\n`)
      }
    })
  } catch (error) {
    return reportError(error, { json, stdout, stderr })
  } finally {
    await client?.then(
      (opened) => opened.close(),
      () => {} // An error of opening was reported above.
    )
  }
}

/** Null: the general help. Throws a UsageError for an unknown command. */
function findCommand(argv: string[]): { command: Command | null; rest: string[] } {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(' ')
    if (Object.hasOwn(commands, name)) return { command: commands[name]!, rest: argv.slice(length) }
  }
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0]!)) return { command: null, rest: [] }
  const group = Object.keys(commands).filter((name) => name.startsWith(`${argv[0]} `))
  if (group.length > 0 && (argv.includes('--help') || argv.includes('-h'))) return { command: null, rest: [] }
  const hint = group.length === 0 ? '' : ` Use one of: ${group.join(', ')}.`
  throw new UsageError(`Unknown command "${argv[0]}".${hint}`)
}

function parseArguments(command: Command, args: string[]): Pick<CommandContext, 'args' | 'options'> {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: { ...GLOBAL_OPTIONS, ...command.options },
      allowPositionals: true
    })
    return { args: positionals, options: values as CommandContext['options'] }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: svc ${command.usage}`)
  }
}

const commandHelp = ({ usage, summary, details }: Command): string =>
  [summary, ...(details === undefined ? [] : ['', details]), '', 'Usage:', `  svc ${usage}`, ''].join('\n')

function generalHelp(): string {
  const list = Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  return [
    'Manage the blog and product content service.',
    '',
    'Usage:',
    '  svc <command> [arguments] [options]',
    '',
    'Commands:',
    ...list,
    '',
    'Global options:',
    '  --json      Print the result as JSON',
    '  -h, --help  Show help for a command',
    '',
    'Exit codes: 0 success, 1 failure, 2 usage error.',
    ''
  ].join('\n')
}

function reportError(
  error: unknown,
  { json, stdout, stderr }: Pick<CommandContext, 'json' | 'stdout' | 'stderr'>
): number {
  const isUsage = error instanceof UsageError
  if (!(isUsage || error instanceof RequestError || error instanceof StartError)) throw error
  if (json) {
    const body = error instanceof RequestError ? error.problem : { detail: error.message }
    stdout.write(`${JSON.stringify({ error: body })}\n`)
  } else stderr.write(`${error.message}\n${isUsage ? 'Run "svc help" for usage.\n' : ''}`)
  return isUsage ? 2 : 1
}
