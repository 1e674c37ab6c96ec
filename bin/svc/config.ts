import { Config } from '../../schemas/config.ts'
import type { RunCommand } from './command.ts'

export const config: RunCommand = async ({ config, print }) => {
  const values = config() as Record<string, unknown>
  const masked = Object.fromEntries(
    Object.entries(Config.properties).map(([name, schema]) => [
      name,
      values[name] === undefined ? null : 'secret' in schema ? '***' : values[name]
    ])
  )
  print(
    masked,
    Object.entries(masked).map(([name, value]) => `${name.padEnd(28)}${value === null ? '(not set)' : String(value)}`)
  )
  return 0
}
