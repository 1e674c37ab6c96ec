import type { CommandDescription, OptionDescription } from './command.ts'
import { ACCESS_COMMANDS } from './commands/access.ts'
import { CONTENT_COMMANDS } from './commands/content.ts'
import { OPERATION_COMMANDS } from './commands/operation.ts'

export const COMMANDS: Readonly<Record<string, CommandDescription>> = {
  ...ACCESS_COMMANDS,
  ...CONTENT_COMMANDS,
  ...OPERATION_COMMANDS
}

/** The commands by subject, in the order of the general help. */
export const SUBJECTS: readonly (readonly [title: string, commands: readonly string[]])[] = [
  ['Accounts and keys', Object.keys(ACCESS_COMMANDS)],
  ['Content', Object.keys(CONTENT_COMMANDS)],
  ['Operations', Object.keys(OPERATION_COMMANDS)]
]

/** What the commands with the same first word are for, unless that word is a command of its own. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: 'Manage API keys.',
  account: 'Manage the plan, the limits and the features of accounts.',
  webhooks: 'Receive webhook events during development.',
  secrets: 'Manage the keys that encrypt webhook signing secrets.'
}

/** The names of the commands that begin with this word and have a second one. */
export const commandsOf = (group: string): string[] =>
  Object.keys(COMMANDS).filter((name) => name.startsWith(`${group} `))

/** The options of every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionDescription>> = {
  json: { description: 'Print the result as JSON' },
  help: { description: 'Show help' }
}
