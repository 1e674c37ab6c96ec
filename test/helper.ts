import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { SignJWT } from 'jose'
import type { Test } from 'tap'
import { buildApp } from '../app.ts'
import { openFiles } from '../ports/files/open.ts'
import type { Files } from '../ports/files/port.ts'
import { openQueue } from '../ports/queue/open.ts'
import type { JobListener, Queue } from '../ports/queue/port.ts'
import { openStore } from '../ports/store/open.ts'
import type { Store } from '../ports/store/port.ts'
import type { ApiKeyInput, ApiKeyWithValue } from '../schemas/api-key.ts'
import { freeSettings, settingsFor } from './profile.ts'

export const SESSION_SECRET = 'a secret for tests that is long enough'
/** Tests also run as root and in containers, where Chromium cannot create its sandbox. */
export const BROWSER_SANDBOX = 'off'

/** Creates a folder that is deleted after the test, together with its database and Redis keys. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(path.join(process.env.TEST_FOLDER ?? tmpdir(), 'blog-service-'))
  t.teardown(async () => {
    rmSync(folder, { recursive: true, force: true })
    await freeSettings(folder)
  })
  return folder
}

/** The settings of a service with this data folder, in the current test profile. */
export async function appSettings(dataDir: string): Promise<Record<string, string>> {
  return { ...(await settingsFor(dataDir)), SESSION_SECRET, LOG_LEVEL: 'silent', BROWSER_SANDBOX }
}

/** Opens the store of the profile, for tests of services without an app. The caller closes it. */
export async function openTestStore(dataDir: string): Promise<Store> {
  return await openStore({ mongodbUrl: (await settingsFor(dataDir)).MONGODB_URL, dataDir })
}

/** Opens the files of the profile. The caller closes them. */
export async function openTestFiles(dataDir: string): Promise<Files> {
  return await openFiles({ mongodbUrl: (await settingsFor(dataDir)).MONGODB_URL, dataDir })
}

/** Opens the queue of the profile. The caller closes it. */
export async function openTestQueue(dataDir: string, listener?: JobListener): Promise<Queue> {
  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = await settingsFor(dataDir)
  return await openQueue({ redisUrl, redisPrefix, listener })
}

/** Starts the app with an empty data folder. It is closed after the test. */
export async function startApp(t: Test, env: Record<string, string> = {}): Promise<FastifyInstance> {
  const app = await buildApp({ ...(await appSettings(env.DATA_DIR ?? temporaryFolder(t))), ...env })
  t.teardown(() => app.close())
  return app
}

/** A session token as an identity provider would issue it. */
export async function sessionToken(
  account: string,
  claims: Record<string, unknown> = {},
  secret = SESSION_SECRET
): Promise<string> {
  return await new SignJWT({ account, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(claims.sub ?? `person of ${account}`))
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

/** Sends requests with a session token of the account. */
export async function person(app: FastifyInstance, account: string, claims: Record<string, unknown> = {}) {
  const authorization = `Bearer ${await sessionToken(account, claims)}`
  return async (method: InjectOptions['method'], url: string, payload?: object, headers: Record<string, string> = {}) =>
    await app.inject({
      method,
      url,
      headers: { authorization, ...headers },
      ...(payload === undefined ? {} : { payload })
    })
}

/** Creates an API key on the largest plan and sends requests with it. */
export async function client(app: FastifyInstance, account = 'acme', input: Partial<ApiKeyInput> = {}) {
  await app.services.accounts.ensure(account)
  await app.services.accounts.update(account, { plan: 'samurai' })
  const key: ApiKeyWithValue = await app.services.apiKeys.create(account, { name: 'Test', ...input })
  const call = async (
    method: InjectOptions['method'],
    url: string,
    payload?: unknown,
    headers: Record<string, string> = {}
  ) =>
    await app.inject({
      method,
      url,
      headers: { 'x-api-key': key.key!, ...headers },
      ...(payload === undefined ? {} : { payload: payload as object })
    })
  return Object.assign(call, { key: key.key!, keyId: key.id, account })
}

export type Client = Awaited<ReturnType<typeof client>>

/** Publishes a blog and returns the response body. */
export async function publish(
  call: Client,
  blog: { title: string } & Record<string, unknown>
): Promise<{ id: string; slug: string; version: number } & Record<string, unknown>> {
  const made = await call('POST', '/api/v1/blogs', {
    projectId: 'site',
    markdown: `Some words about ${blog.title}.`,
    status: 'published',
    ...blog
  })
  if (made.statusCode !== 201) throw new Error(`The blog could not be created: ${made.body}`)
  return made.json()
}
