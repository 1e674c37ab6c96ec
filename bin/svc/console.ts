import { LINK_SECONDS, signInUrl, signLinkToken } from '../../services/auth/sign-in-links.ts'
import { findService } from './admin-client.ts'
import { stringOption, UsageError, type RunCommand } from './command.ts'
import { canIssueSessions, sessionSecret } from './settings.ts'

export const consoleLink: RunCommand = async ({ options, config, print, log }) => {
  const settings = config()
  const service = await findService(settings)
  if (!canIssueSessions(settings)) {
    throw new UsageError(
      'Cannot create a link: the identity provider of SESSION_JWKS_URL issues the session tokens. ' +
        `Sign in with one of them at ${service.url}/console.`
    )
  }
  if (service.isRunning === false) {
    log(`No server is running on ${settings.DATA_DIR}. Start it with "npm start" before you open the link.`)
  }
  const account = stringOption(options, 'account', 'demo')
  const url = signInUrl(service.url, await signLinkToken(sessionSecret(settings), account))
  print({ url, account, expiresInSeconds: LINK_SECONDS }, [url])
  return 0
}
