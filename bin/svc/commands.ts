import type { CommandDescription, OptionDescription } from './command.ts'
import { ACCESS_COMMANDS } from './commands/access.ts'
import { CONTENT_COMMANDS } from './commands/content.ts'
import { OPERATION_COMMANDS } from './commands/operation.ts'

export const COMMANDS: Readonly<Record<string, CommandDescription>> = {
  ...ACCESS_COMMANDS,
  ...CONTENT_COMMANDS,
  ...OPERATION_COMMANDS
}

/** The options of every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionDescription>> = {
  json: { description: 'Print the result as JSON' },
  help: { description: 'Show the help of a command' }
}
