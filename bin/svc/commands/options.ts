import type { OptionDescription } from '../command.ts'

/** Options of several commands. */
export const ACCOUNT: OptionDescription = { value: 'ACCOUNT', description: 'The account. Default: demo' }
export const PROJECT: OptionDescription = { value: 'ID', description: 'The project. Default: default' }
