import { stringOption, UsageError, type RunCommand } from './command.ts'
import { canIssueSessions, sessionSecret, signSession } from './settings.ts'

const SECONDS_PER_UNIT: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

export const token: RunCommand = async ({ options, config, print }) => {
  const settings = config()
  if (!canIssueSessions(settings)) {
    throw new UsageError('Cannot create a session token: the identity provider of SESSION_JWKS_URL issues them.')
  }
  const account = stringOption(options, 'account', 'demo')
  const role = stringOption(options, 'role')
  if (role !== undefined && role !== 'admin') throw new UsageError('--role must be admin.')
  const expiresInSeconds = parseDuration(stringOption(options, 'expires', '1h'))
  const value = await signSession(settings, sessionSecret(settings), {
    subject: account,
    account,
    role,
    expiresInSeconds
  })
  print({ token: value, account, expiresInSeconds }, [value])
  return 0
}

/** Seconds of a duration such as `90s` or `7d`. Throws a UsageError. */
function parseDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(amount) * (SECONDS_PER_UNIT[unit] ?? 0)
  if (seconds > 0) return seconds
  throw new UsageError('--expires must be a number and a unit, such as 90s, 30m, 1h or 7d.')
}
