import { useEffect, useState } from 'preact/hooks'
import { call } from './api.ts'
import { replaceWithHome, type Route } from './router.ts'
import { setSession, toSession } from './session.ts'
import { useAction } from './use-query.ts'
import { Button, TextField } from './ui/controls.tsx'
import { ErrorNotice } from './ui/display.tsx'

interface StartedSession {
  token: string
  accountId: string
  expiresAt: string
}

/** Signs in by the link that `npm start` prints, a session token, or an API key. */
export function SignInPage({ route }: { route: Route }) {
  const [credential, setCredential] = useState('')
  const [section, linkToken] = route.segments
  const byLink = useAction(async (token: string) => {
    const {
      token: value,
      accountId,
      expiresAt
    } = await call<StartedSession>('POST', '/api/sessions', {
      body: { linkToken: token }
    })
    setSession({ credential: value, kind: 'session', account: accountId, expiresAt: Date.parse(expiresAt) })
  })
  const byCredential = useAction(async () => {
    const session = toSession(credential.trim())
    // The endpoint answers both kinds of credentials; a 403 means that the credential itself is valid.
    const response = await fetch('/api/v1/blogs?pageSize=1', {
      headers: { authorization: `Bearer ${session.credential}` }
    })
    if (response.status === 401 || response.status === 429) {
      throw new Error(((await response.json()) as { detail: string }).detail)
    }
    setSession(session)
  })
  useEffect(() => {
    document.title = 'Sign in · Console'
  }, [])
  useEffect(() => {
    if (section !== 'sign-in' || linkToken === undefined) return
    // The link works once: it must not stay in the address, nor in the history.
    replaceWithHome()
    void byLink.run(linkToken)
  }, [section, linkToken])

  return (
    <main class="sign-in">
      <h1>Sign in to the console</h1>
      {byLink.isRunning ? <p role="status">Signing in…</p> : <ErrorNotice error={byLink.error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void byCredential.run()
        }}
      >
        <TextField
          label="Session token or API key"
          type="password"
          autocomplete="off"
          required
          value={credential}
          onInput={setCredential}
          hint="It is stored in this browser tab until you close it or sign out."
        />
        <ErrorNotice error={byCredential.error} />
        <Button look="primary" type="submit" busy={byCredential.isRunning}>
          Sign in
        </Button>
      </form>
      <section>
        <h2>Where to get one</h2>
        <p>
          <code>npm start</code> prints a link that signs you in. For a new link, run:
        </p>
        <pre>
          <code>npm run --silent svc -- console --account demo</code>
        </pre>
        <p>
          If an identity provider signs your users in, paste its session token. An API key opens only what its scopes
          allow: no keys, projects or usage.
        </p>
        <p>
          <a href="/docs">API documentation</a>
        </p>
      </section>
    </main>
  )
}
