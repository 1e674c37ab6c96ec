import { LINK_SECONDS, signInUrl, signLinkToken } from '../../services/auth/sign-in-links.ts'
import { stringOption, UsageError, type RunCommand } from './command.ts'
import { canIssueSessions, publicUrl, sessionSecret } from './settings.ts'

export const consoleLink: RunCommand = async ({ options, config, print }) => {
  const settings = config()
  if (!canIssueSessions(settings)) {
    throw new UsageError(
      'Cannot create a link: the identity provider of SESSION_JWKS_URL issues the session tokens. ' +
        `Sign in with one of them at ${publicUrl(settings)}/console.`
    )
  }
  const account = stringOption(options, 'account', 'demo')
  const url = signInUrl(publicUrl(settings), await signLinkToken(sessionSecret(settings), account))
  print({ url, account, expiresInSeconds: LINK_SECONDS }, [url])
  return 0
}
