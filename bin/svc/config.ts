import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { Config } from '../../schemas/config.ts'
import type { Command } from './command.ts'

export const config: Command = {
  usage: 'config',
  summary: 'Show the settings in force, secrets masked',
  options: {},
  async run({ tell }) {
    const values = parseConfig(readEnvironment()) as Record<string, unknown>
    const shown = Object.fromEntries(
      Object.entries(Config.properties).map(([name, schema]) => [
        name,
        values[name] === undefined ? null : 'secret' in schema ? '***' : values[name]
      ])
    )
    tell(
      shown,
      Object.entries(shown).map(([name, value]) => `${name.padEnd(28)}${value === null ? '(not set)' : String(value)}`)
    )
    return 0
  }
}
