import { parseArgs } from 'node:util'
import { StartError } from '../../errors.ts'
import { UsageError, type Command, type Invocation } from './command.ts'
import { commands } from './commands.ts'
import { openOperator, RefusedError, type Operator } from './operator.ts'

const GLOBAL = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** Runs the command line; resolves with the exit code: 0 done, 1 refused, 2 a wrong call. */
export async function run(args: string[]): Promise<number> {
  const json = args.includes('--json')
  let operator: Operator | null = null
  try {
    const { command, rest } = choose(args)
    if (command === null || rest.includes('--help') || rest.includes('-h')) {
      process.stdout.write(help(command))
      return command === null && rest[0] !== 'help' && rest.length > 0 ? 2 : 0
    }
    const invocation: Invocation = {
      ...parse(command, rest),
      json,
      operator: async () => {
        operator ??= await openOperator()
        return operator
      },
      tell: (result, lines) => {
        process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
      },
      note: (line) => {
        process.stderr.write(`${line}\n`)
      }
    }
    return await command.run(invocation)
  } catch (error) {
    return report(error, json)
  } finally {
    await (operator as Operator | null)?.close()
  }
}

function choose(args: string[]): { command: Command | null; rest: string[] } {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ')
    const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
    if (command !== undefined) return { command, rest: args.slice(length) }
  }
  if (args.length === 0 || ['help', '--help', '-h'].includes(args[0]!)) return { command: null, rest: ['help'] }
  throw new UsageError(`There is no command "${args[0]}".`)
}

function parse(command: Command, args: string[]): Pick<Invocation, 'words' | 'values'> {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: { ...GLOBAL, ...command.options },
      allowPositionals: true
    })
    return { words: positionals, values: values as Invocation['values'] }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: svc ${command.usage}`)
  }
}

function help(command: Command | null): string {
  if (command !== null) return `svc ${command.usage}\n\n  ${command.summary}\n`
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
  return `svc: the command line of the service\n\n${Object.values(commands)
    .map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`)
    .join('\n')}\n\n  --json everywhere. Exit codes: 0 done, 1 refused, 2 a wrong call.\n`
}

function report(error: unknown, json: boolean): number {
  if (!(error instanceof UsageError || error instanceof RefusedError || error instanceof StartError)) throw error
  const exitCode = error instanceof UsageError ? 2 : 1
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ error: error instanceof RefusedError ? error.problem : { detail: error.message } })}\n`
    )
  } else process.stderr.write(`${error.message}\n${error instanceof UsageError ? 'See svc help.\n' : ''}`)
  return exitCode
}
