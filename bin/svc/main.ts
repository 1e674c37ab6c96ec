import { StartError } from '../../errors.ts'
import type { Config } from '../../schemas/config.ts'
import type { AdminClient } from './admin-client.ts'
import { parseArguments } from './arguments.ts'
import { RequestError, UsageError, type CommandContext, type CommandStreams } from './command.ts'
import { COMMANDS, commandsOf, GROUPS } from './commands.ts'
import { formatCommandHelp, formatGeneralHelp, formatGroupHelp, helpWidth } from './help.ts'
import { toPrintable, toPrintableJson } from './output.ts'
import { suggest } from './suggest.ts'

/** A command line up to its arguments and options. `name`: a command, a group, or null if there is none. */
interface FoundCommand {
  name: string | null
  rest: string[]
}

/**
 * Runs one command of the command line. Resolves with the exit code: 0 success, 1 failure, 2 wrong
 * usage. Rejects only for an unexpected error.
 */
export async function runCommand(argv: string[], streams: CommandStreams): Promise<number> {
  const { stdout, stderr } = streams
  const json = argv.includes('--json')
  let found: FoundCommand = { name: null, rest: [] }
  try {
    found = findCommand(argv)
    const { name, rest } = found
    const width = helpWidth(stdout.columns)
    if (name === null || asksForHelp(rest)) {
      stdout.write(formatHelp(name, width))
      return 0
    }
    if (Object.hasOwn(GROUPS, name)) {
      throw new UsageError(`"svc ${name}" is incomplete. Use one of: ${commandsOf(name).join(', ')}.`)
    }
    return await execute(name, { argv: rest, json, streams })
  } catch (error) {
    return reportError(error, { name: found.name, json, stdout, stderr })
  }
}

const asksForHelp = (args: string[]): boolean => args.includes('--help') || args.includes('-h')

function formatHelp(name: string | null, width: number): string {
  if (name === null) return formatGeneralHelp(width)
  return Object.hasOwn(GROUPS, name) ? formatGroupHelp(name, width) : formatCommandHelp(name, COMMANDS[name]!, width)
}

async function execute(
  name: string,
  { argv, json, streams }: { argv: string[]; json: boolean; streams: CommandStreams }
): Promise<number> {
  const command = COMMANDS[name]!
  const parsed = parseArguments(name, command, argv)
  // Loaded here: the help does not need them.
  const { parseConfig } = await import('../../plugins/config.ts')
  const { openAdminClient } = await import('./admin-client.ts')
  const run = await command.load()
  const { env, stdout, stderr } = streams
  let settings: Config | undefined
  let client: Promise<AdminClient> | undefined
  const config = () => (settings ??= parseConfig(env))
  try {
    return await run({
      ...streams,
      ...parsed,
      json,
      config,
      adminClient: () => (client ??= openAdminClient(env, config())),
      print: (result, lines) => {
        stdout.write(json ? `${toPrintableJson(result)}\n` : lines.map((line) => `${toPrintable(line)}\n`).join(''))
      },
      log: (line) => {
        stderr.write(`${toPrintable(line)}\n`)
      }
    })
  } finally {
    await client?.then(
      (opened) => opened.close(),
      () => {} // The command reports an error of opening.
    )
  }
}

/** Throws a UsageError for an unknown command. */
function findCommand(argv: string[]): FoundCommand {
  const isHelp = ['help', '--help', '-h'].includes(argv[0] ?? 'help')
  const words = isHelp ? argv.slice(1) : argv
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (Object.hasOwn(COMMANDS, name)) return { name, rest: [...words.slice(length), ...(isHelp ? ['--help'] : [])] }
  }
  if (words.length === 0) return { name: null, rest: [] }
  const [first = '', second] = words
  const isGroup = Object.hasOwn(GROUPS, first)
  if (isGroup && (second === undefined || second.startsWith('-'))) {
    return { name: first, rest: isHelp ? ['--help'] : words.slice(1) }
  }
  const hint = suggest([words.slice(0, 2).join(' '), first], Object.keys(COMMANDS), (name) => `"svc ${name}"`)
  throw new UsageError(`Unknown command "${isGroup ? `${first} ${second}` : first}".${hint}`)
}

function reportError(
  error: unknown,
  { name, json, stdout, stderr }: Pick<CommandContext, 'json' | 'stdout' | 'stderr'> & { name: string | null }
): number {
  const isUsage = error instanceof UsageError
  if (!(isUsage || error instanceof RequestError || error instanceof StartError)) throw error
  if (json) {
    const body = error instanceof RequestError ? error.problem : { detail: error.message }
    stdout.write(`${toPrintableJson({ error: body })}\n`)
  } else {
    const help = name === null ? 'svc help' : `svc ${name} --help`
    stderr.write(`${toPrintable(error.message)}\n${isUsage ? `Run "${help}" for usage.\n` : ''}`)
  }
  return isUsage ? 2 : 1
}
