import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../../plugins/config/environment.ts'
import type { Config } from '../../schemas/config.ts'
import type { Problem } from '../../schemas/problem.ts'
import type { AdminClient } from './admin-client.ts'

export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** The surroundings of a run: those of the process, or a test's own. */
export interface CommandStreams {
  /** The settings: the environment over the `.env` file. */
  env: Environment
  stdin: Readable & { isTTY?: boolean }
  stdout: OutputStream
  stderr: OutputStream
  /** Stops a command that runs until it is interrupted, as Ctrl-C does. */
  signal?: AbortSignal
}

export type OptionValues = Record<string, string | boolean | undefined>

export interface CommandContext extends CommandStreams {
  /** The arguments that are not options. */
  args: string[]
  options: OptionValues
  /** Whether `--json` was given. */
  json: boolean
  /** The settings in force. Throws a StartError for invalid settings. */
  config: () => Config
  /** Opened by the first call, closed after the command. */
  adminClient: () => Promise<AdminClient>
  /** Writes the result to stdout: the lines, or with `--json` the value as one JSON document. */
  print: (result: unknown, lines: string[]) => void
  /** Writes progress and warnings to stderr, so that stdout can be piped. */
  log: (line: string) => void
}

/** Runs a command. Resolves with the exit code: 0 success, 1 failure. */
export type RunCommand = (context: CommandContext) => Promise<number>

/** An option of a command, such as `--name NAME`. */
export interface OptionDescription {
  /** Completes a sentence in the help. */
  description: string
  /** What the value is, in capitals. Absent: the option has no value. */
  value?: string
  /** The only valid values. */
  values?: readonly string[]
  required?: boolean
}

export interface CommandDescription {
  /** The arguments in the order in which they are given, such as `ACCOUNT` and `[ACCOUNT]` for an optional one. */
  arguments: readonly string[]
  /** The values that the last argument may have. */
  argumentValues?: readonly string[]
  /** One sentence for the list of commands. */
  summary: string
  details?: string
  options: Readonly<Record<string, OptionDescription>>
  /** Command lines without `svc`, each with what it does. */
  examples: readonly { command: string; does: string }[]
  /** Loads the implementation: most of them load the service, which takes longer than the help. */
  load: () => Promise<(context: CommandContext) => Promise<number>>
}

/** Wrong arguments or options: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An error response of the API. By default, the message has its detail and its field errors. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly problem: Problem

  constructor(problem: Problem, message = messageOf(problem)) {
    super(message)
    this.problem = problem
  }
}

function messageOf({ title, detail, errors = [] }: Problem): string {
  const texts = errors.map(({ pointer, message }) => `${pointer} ${message}`)
  // The detail of an invalid request is its first error.
  const further = texts.filter((text) => !detail.includes(text))
  return [`${title}: ${detail}`, ...further.map((text) => `  ${text}`)].join('\n')
}

/** The value of a string option, or the default. */
export function stringOption(options: OptionValues, name: string): string | undefined
export function stringOption(options: OptionValues, name: string, defaultValue: string): string
export function stringOption(options: OptionValues, name: string, defaultValue?: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : defaultValue
}

/** The values of a comma-separated option; undefined if the option is not set. */
export const listOption = (options: OptionValues, name: string): string[] | undefined =>
  stringOption(options, name)
    ?.split(',')
    .map((value) => value.trim())

/** A time, or a day in the local time zone, as RFC 3339; undefined if the option is not set. Throws a UsageError. */
export function timeOption(options: OptionValues, name: string): string | undefined {
  const value = stringOption(options, name)
  if (value === undefined) return undefined
  const ms = Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value)
  if (Number.isNaN(ms)) throw new UsageError(`--${name} must be a time, such as 2027-01-31 or 2027-01-31T09:00:00Z.`)
  return new Date(ms).toISOString()
}
