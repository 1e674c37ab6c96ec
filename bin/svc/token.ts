import { SignJWT } from 'jose'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { UsageError, text, type Command } from './command.ts'
import { sessionSecret } from './session-secret.ts'

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

export const token: Command = {
  usage: 'token [--account A] [--role admin] [--expires 1h]',
  summary: 'Print a session token, for key management and settings',
  options: { account: { type: 'string' }, role: { type: 'string' }, expires: { type: 'string' } },
  async run({ values, tell }) {
    const config = parseConfig(readEnvironment())
    if (config.SESSION_SECRET === undefined && config.SESSION_JWKS_URL !== undefined) {
      throw new UsageError('Session tokens come from the identity provider of SESSION_JWKS_URL; none can be made here.')
    }
    const account = text(values, 'account', 'demo')
    const role = text(values, 'role')
    if (role !== undefined && role !== 'admin') throw new UsageError('--role can only be admin.')
    const seconds = secondsOf(text(values, 'expires', '1h'))
    const signed = await new SignJWT({
      account,
      ...(role === undefined ? {} : { role }),
      iss: config.SESSION_ISSUER,
      aud: config.SESSION_AUDIENCE
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(account)
      .setIssuedAt()
      .setExpirationTime(`${seconds}s`)
      .sign(new TextEncoder().encode(sessionSecret(config)))
    tell({ token: signed, account, expiresInSeconds: seconds }, [signed])
    return 0
  }
}

function secondsOf(duration: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(duration) ?? []
  const seconds = Number(amount) * (UNITS[unit] ?? 0)
  if (seconds > 0) return seconds
  throw new UsageError('--expires is a number and a unit: 90s, 30m, 1h, 7d.')
}
