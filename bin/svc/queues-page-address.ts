import { SignJWT } from 'jose'
import { StartError } from '../../errors.ts'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { runningServer } from './operator.ts'
import { publicUrl } from './public-url.ts'
import { sessionSecret } from './session-secret.ts'

const TOKEN_MINUTES = 60

/**
 * The address that opens the page of the queues in a browser, good for an hour: whoever has it is
 * an administrator. Throws a StartError where there is no such page, or nothing that this machine
 * could sign with.
 */
export async function queuesPageAddress(): Promise<string> {
  const config = parseConfig(readEnvironment())
  if (config.REDIS_URL === undefined) {
    throw new StartError(
      'The page of the queues needs REDIS_URL: without it the queue is in the server process. svc queues shows it.'
    )
  }
  if (config.SESSION_SECRET === undefined && config.SESSION_JWKS_URL !== undefined) {
    throw new StartError(
      'Session tokens come from the identity provider of SESSION_JWKS_URL: open /admin/queues?token=<a session token with the role admin>.'
    )
  }
  const token = await new SignJWT({
    account: 'svc',
    role: 'admin',
    iss: config.SESSION_ISSUER,
    aud: config.SESSION_AUDIENCE
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('svc')
    .setExpirationTime(`${TOKEN_MINUTES}m`)
    .sign(new TextEncoder().encode(sessionSecret(config)))
  const running = config.MONGODB_URL === undefined ? await runningServer(config.DATA_DIR) : null
  const base = config.PUBLIC_URL === undefined && running !== null ? running : publicUrl(config)
  return `${base}/admin/queues?token=${token}`
}
