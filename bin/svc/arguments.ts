import { parseArgs } from 'node:util'
import { UsageError, type CommandContext, type CommandDescription } from './command.ts'
import { commandsOf, GLOBAL_OPTIONS } from './commands.ts'
import { usageOf } from './help.ts'
import { suggest } from './suggest.ts'

/** The arguments and options of a command. Throws a UsageError with the usage of the command. */
export function parseArguments(
  name: string,
  command: CommandDescription,
  args: string[]
): Pick<CommandContext, 'args' | 'options'> {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...GLOBAL_OPTIONS }).map(([option, { value }]) => [
      option,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) }
    ])
  )
  const usageError = (reason: string): UsageError => new UsageError(`${reason}\nUsage: ${usageOf(name, command)}`)
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw usageError(describe(error as NodeJS.ErrnoException, Object.keys(options)))
  }
  const { positionals, values } = parsed
  const unexpected = positionals[command.arguments.length]
  if (unexpected !== undefined) {
    const similar = suggest([`${name} ${positionals[0]}`], commandsOf(name), (found) => `"svc ${found}"`)
    throw usageError(`Unexpected argument "${unexpected}".${similar}`)
  }
  const missing = command.arguments.slice(positionals.length).find((argument) => !argument.startsWith('['))
  if (missing !== undefined) throw usageError(`${missing} is required.`)
  return { args: positionals, options: values as CommandContext['options'] }
}

/** The error of `parseArgs` in words for people who do not know its API. */
function describe({ code, message }: NodeJS.ErrnoException, options: string[]): string {
  const [, option = ''] = /'(?:-\w, )?(--?[\w-]+)/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `Unknown option ${option}.${suggest(
      [option],
      options.map((name) => `--${name}`)
    )}`
  }
  if (/does not take an argument/.test(message)) return `${option} does not take a value.`
  const missing = `${option} requires a value.`
  if (/is ambiguous/.test(message)) return `${missing} If it starts with a dash, write ${option}=VALUE.`
  return /argument missing/.test(message) ? missing : message
}
