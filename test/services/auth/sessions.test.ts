import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { exportSPKI, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'
import t, { type Test } from 'tap'
import { startApp } from '../../helper.ts'
import { createSessions } from '../../../services/auth/sessions.ts'

const SECRET = 'a secret of the operator, long enough'
const bytes = (text: string) => new TextEncoder().encode(text)
const now = () => Math.floor(Date.now() / 1000)
const claims = (more: JWTPayload = {}): JWTPayload => ({ sub: 'ann', exp: now() + 600, ...more })
const signed = async (payload: JWTPayload, secret = SECRET, alg = 'HS256') =>
  await new SignJWT(payload).setProtectedHeader({ alg }).sign(bytes(secret))

t.test('a token signed with the secret is a session of its subject', async (t) => {
  const sessions = createSessions({ secret: SECRET })
  const exp = now() + 600
  t.same(
    await sessions.verify(await signed(claims({ exp }))),
    { userId: 'ann', accountId: 'ann', admin: false, expiresAt: exp * 1000 },
    'without an account claim the subject is the account'
  )
  t.match(await sessions.verify(await signed(claims({ account: 'acme', role: 'admin' }))), {
    userId: 'ann',
    accountId: 'acme',
    admin: true
  })
  for (const role of ['Admin', ['admin'], true, 'user']) {
    t.match(
      await sessions.verify(await signed(claims({ role }))),
      { admin: false },
      `the role ${JSON.stringify(role)} is no administrator's`
    )
  }
})

t.test('a token with another signature or without one is rejected', async (t) => {
  const sessions = createSessions({ secret: SECRET })
  const good = await signed(claims())
  t.equal(await sessions.verify(await signed(claims(), 'another secret that is long enough')), null, 'another secret')
  t.equal(await sessions.verify(new UnsecuredJWT(claims()).encode()), null, 'no algorithm')
  for (const alg of ['none', 'None', 'NONE', 'hs256', 'HS999', '']) {
    t.equal(
      await sessions.verify(
        `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${good.split('.')[1]}.${good.split('.')[2]}`
      ),
      null,
      `the algorithm ${alg}`
    )
  }
  t.equal(
    await sessions.verify(await signed(claims(), SECRET.padEnd(64, 'x'), 'HS512')),
    null,
    'an algorithm that is not allowed'
  )
  const [head, , signature] = good.split('.')
  t.equal(
    await sessions.verify(
      `${head}.${Buffer.from(JSON.stringify(claims({ role: 'admin' }))).toString('base64url')}.${signature}`
    ),
    null,
    'other claims with the same signature'
  )
  for (const broken of ['', '.', '..', 'a.b.c', `${good}.x`, good.slice(0, -2), '🙂', 'x'.repeat(9000)]) {
    t.equal(await sessions.verify(broken), null, broken.slice(0, 20))
  }
  t.not(await sessions.verify(good), null, 'the valid token is accepted')
})

t.test('the times of a token are checked with 30 seconds of leeway', async (t) => {
  const sessions = createSessions({ secret: SECRET })
  t.equal(await sessions.verify(await signed({ sub: 'ann' })), null, 'without exp')
  t.equal(await sessions.verify(await signed({ ...claims(), exp: 'never' as never })), null, 'with an invalid exp')
  t.not(await sessions.verify(await signed(claims({ exp: now() - 20 }))), null, 'expired within the leeway')
  t.equal(await sessions.verify(await signed(claims({ exp: now() - 40 }))), null, 'expired beyond it')
  t.not(await sessions.verify(await signed(claims({ nbf: now() + 20 }))), null, 'not yet valid within the leeway')
  t.equal(await sessions.verify(await signed(claims({ nbf: now() + 60 }))), null, 'not yet valid')
})

t.test('a cached token still expires', async (t) => {
  const sessions = createSessions({ secret: SECRET })
  const token = await signed(claims({ exp: now() + 60 }))
  t.not(await sessions.verify(token), null)
  t.not(await sessions.verify(token), null, 'cached')
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 95_000 })
  t.teardown(() => {
    mock.timers.reset()
  })
  t.equal(await sessions.verify(token), null, 'cached and expired')
  t.equal(await sessions.verify(token), null)
})

t.test('issuer and audience are checked if configured', async (t) => {
  const sessions = createSessions({ secret: SECRET, issuer: 'https://id.example', audience: 'content' })
  t.not(await sessions.verify(await signed(claims({ iss: 'https://id.example', aud: ['content', 'other'] }))), null)
  for (const wrong of [
    {},
    { iss: 'https://id.example' },
    { aud: 'content' },
    { iss: 'https://evil.example', aud: 'content' },
    { iss: 'https://id.example', aud: 'other' }
  ]) {
    t.equal(await sessions.verify(await signed(claims(wrong))), null, JSON.stringify(wrong))
  }
})

t.test('a token without a subject or with invalid claims is rejected', async (t) => {
  const sessions = createSessions({ secret: SECRET })
  for (const wrong of [
    { sub: undefined },
    { sub: '' },
    { sub: 7 as never },
    { sub: 'x'.repeat(201) },
    { account: '' },
    { account: 7 },
    { account: ['acme'] },
    { account: 'x'.repeat(201) }
  ]) {
    t.equal(await sessions.verify(await signed(claims(wrong as JWTPayload))), null, JSON.stringify(wrong).slice(0, 40))
  }
})

/** An identity provider that serves its key set on a local port. */
async function provider(t: Test) {
  const keys: JWK[] = []
  let reads = 0
  let broken = false
  const server = createServer((_request, response) => {
    reads += 1
    if (broken) response.writeHead(500).end('no')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  return {
    url,
    keys,
    reads: () => reads,
    fail(value = true) {
      broken = value
    },
    /** Adds a key pair to the set; returns a function that signs with it. */
    key(alg: string, pair: { publicKey: KeyObject; privateKey: KeyObject }) {
      const kid = randomUUID()
      keys.push({ ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' })
      return Object.assign(
        async (payload: JWTPayload) =>
          await new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(pair.privateKey),
        { kid, ...pair }
      )
    }
  }
}
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const edwards = () => generateKeyPairSync('ed25519')

t.test('tokens of the identity provider are verified with its key set in all common algorithms', async (t) => {
  const { url, key, reads } = await provider(t)
  const sign = {
    ES256: key('ES256', ec()),
    RS256: key('RS256', rsa()),
    EdDSA: key('EdDSA', edwards()),
    PS256: key('PS256', rsa())
  }
  const sessions = createSessions({ jwksUrl: url })
  for (const [alg, token] of Object.entries(sign)) {
    t.match(await sessions.verify(await token(claims({ account: 'acme' }))), { accountId: 'acme' }, alg)
    t.equal(await sessions.verify(await token(claims({ exp: now() - 40 }))), null, `${alg}, expired`)
  }
  t.equal(reads(), 1, 'the key set is read once')
  const foreignKey = ec()
  t.equal(
    await sessions.verify(
      await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: sign.ES256.kid }).sign(foreignKey.privateKey)
    ),
    null,
    "a foreignKey's key under a known name"
  )
})

t.test('a public key is never used as a shared secret, or a shared secret as a public key', async (t) => {
  const { url, key } = await provider(t)
  const sign = key('RS256', rsa())
  const pem = await exportSPKI(sign.publicKey as never)
  const both = createSessions({ jwksUrl: url, secret: SECRET })
  const keySetOnly = createSessions({ jwksUrl: url })
  for (const text of [pem, pem.trim(), JSON.stringify(sign.publicKey.export({ format: 'jwk' }))]) {
    const forged = await new SignJWT(claims({ role: 'admin' }))
      .setProtectedHeader({ alg: 'HS256', kid: sign.kid })
      .sign(bytes(text))
    t.equal(await both.verify(forged), null)
    t.equal(await keySetOnly.verify(forged), null)
  }
  t.equal(await keySetOnly.verify(await signed(claims())), null, 'signed with an unconfigured secret')
  t.equal(
    await createSessions({ secret: SECRET }).verify(await sign(claims())),
    null,
    'signed with an unconfigured key'
  )
  t.not(await both.verify(await sign(claims())), null)
  t.not(await both.verify(await signed(claims())), null, 'both kinds are accepted if both are configured')
})

t.test(
  'after a key rotation of the identity provider, new keys work in seconds and withdrawn keys expire in minutes',
  async (t) => {
    const { url, key, keys, reads } = await provider(t)
    const old = key('ES256', ec())
    const sessions = createSessions({ jwksUrl: url })
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    t.teardown(() => {
      mock.timers.reset()
    })
    const oldToken = await old(claims({ exp: now() + 86_400 }))
    t.not(await sessions.verify(oldToken), null)
    keys.length = 0
    const fresh = key('ES256', ec())
    const token = await fresh(claims({ exp: now() + 86_400 }))
    mock.timers.tick(6000)
    t.not(await sessions.verify(token), null, 'the new key is fetched')
    const before = reads()
    for (let time = 0; time < 20; time++) {
      t.equal(
        await sessions.verify(
          await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: randomUUID() }).sign(ec().privateKey)
        ),
        null
      )
    }
    t.ok(reads() - before <= 1, 'invented keys do not flood the provider')
    mock.timers.tick(601_000)
    t.equal(await sessions.verify(oldToken), null, 'the withdrawn key is rejected')
    t.not(await sessions.verify(token), null)
  }
)

t.test('an unreachable identity provider causes 503 with Retry-After, not 401 or 500', async (t) => {
  const { url, key, fail } = await provider(t)
  const sign = key('ES256', ec())
  const app = await startApp(t, { SESSION_SECRET: '', SESSION_JWKS_URL: url, DATA_DIR: t.testdir() })
  const ask = async (token: string) =>
    await app.inject({ url: '/api/account', headers: { authorization: `Bearer ${token}` } })
  fail()
  const away = await ask(await sign(claims()))
  t.equal(away.statusCode, 503, away.body)
  t.equal(away.json().code, 'unavailable')
  t.ok(Number(away.headers['retry-after']) >= 1)
  t.ok(Number(away.headers['x-ratelimit-limit']) >= 1, 'with the limit headers')
  t.equal((await ask('nonsense')).statusCode, 401, 'an invalid token is still rejected')
  fail(false)
  t.equal((await ask(await sign(claims()))).statusCode, 200, 'verification recovers automatically')
  const refusedPort = await startApp(t, { SESSION_SECRET: '', SESSION_JWKS_URL: 'http://127.0.0.1:9/keys' })
  t.equal(
    (await refusedPort.inject({ url: '/api/account', headers: { authorization: `Bearer ${await sign(claims())}` } }))
      .statusCode,
    503
  )
})
