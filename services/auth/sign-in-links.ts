import { createHmac } from 'node:crypto'
import { problem } from '../../errors.ts'
import type { Store } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import { signSession, type SessionSettings } from './sessions.ts'

/** How long a link may be opened, in seconds. */
export const LINK_SECONDS = 15 * 60
/** How long a session lasts that was started by a link, in seconds. */
export const LINK_SESSION_SECONDS = 8 * 3600

type OnRejected = (link: RejectedLink) => void

const REALM = { headers: { 'WWW-Authenticate': 'Bearer realm="session"' } }
const CREATE_LINK = 'Create a new one: npm run svc -- console'
const INVALID_LINK = `The sign-in link is invalid or has expired. ${CREATE_LINK}`

/** A session of the console. */
export interface StartedSession {
  token: string
  accountId: string
  expiresAt: string
}

/** A link of this service that was rejected, because it was opened before or too late. */
export interface RejectedLink {
  accountId: string
  reason: 'used' | 'expired'
}

export type SignInLinks = ReturnType<typeof createSignInLinks>

/**
 * The token of a link that signs in to the console once. It is a JWT like a session token, but
 * signed with a key of its own, so that neither is accepted in place of the other.
 */
export async function signLinkToken(secret: string, account: string): Promise<string> {
  const { SignJWT } = await import('jose')
  return await new SignJWT({ account })
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(newId())
    .setExpirationTime(`${LINK_SECONDS}s`)
    .sign(linkKey(secret))
}

/** The address of the console that signs in. Fragments of URLs are not sent to servers, proxies or logs. */
export const signInUrl = (publicUrl: string, token: string): string => `${publicUrl}/console#/sign-in/${token}`

const linkKey = (secret: string): Buffer => createHmac('sha256', secret).update('console sign-in link').digest()

/** Exchanges the tokens of sign-in links for session tokens. */
export function createSignInLinks({ store, settings }: { store: Store; settings: SessionSettings }) {
  const { secret } = settings

  async function readToken(token: string, onRejected: OnRejected): Promise<{ account: string; id: string }> {
    if (secret === undefined) {
      throw rejected("Sign-in links are not available: sessions are issued by the operator's identity provider.")
    }
    const { errors, jwtVerify } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, linkKey(secret), {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'jti', 'account']
      })
      return { account: String(payload.account), id: String(payload.jti) }
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
      // The signature is verified before the expiry.
      if (error instanceof errors.JWTExpired && typeof error.payload.account === 'string') {
        onRejected({ accountId: error.payload.account, reason: 'expired' })
      }
      throw rejected(INVALID_LINK)
    }
  }

  return {
    /** The token of a new link; null where the identity provider issues the sessions. */
    create: async (account: string): Promise<string | null> =>
      secret === undefined ? null : await signLinkToken(secret, account),

    /**
     * Starts a session. Every token is accepted once, by all processes of the service together. Throws
     * `unauthenticated` for a token that is invalid, has expired or was used. Before it throws for a link
     * of this service, it calls `onRejected`.
     */
    async exchange(token: string, onRejected: OnRejected = () => {}): Promise<StartedSession> {
      const { account, id } = await readToken(token, onRejected)
      const now = Date.now()
      // The store's claims are atomic and expire. None is older than 1970, so none is ever taken over.
      const { state } = await store.idempotency.claim({
        scope: `sign-in-link ${id}`,
        bodyHash: '',
        operationId: id,
        at: new Date(now).toISOString(),
        expiresAt: new Date(now + 2 * LINK_SECONDS * 1000).toISOString(),
        staleBefore: new Date(0).toISOString()
      })
      if (state !== 'claimed') {
        onRejected({ accountId: account, reason: 'used' })
        throw rejected(`The sign-in link was used already. ${CREATE_LINK}`)
      }
      const expiresAt = new Date(now + LINK_SESSION_SECONDS * 1000).toISOString()
      const session = await signSession(settings, secret!, {
        subject: account,
        account,
        expiresInSeconds: LINK_SESSION_SECONDS
      })
      return { token: session, accountId: account, expiresAt }
    }
  }
}

const rejected = (detail: string) => problem('unauthenticated', detail, REALM)
