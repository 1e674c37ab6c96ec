import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { storedBytes } from '../fixtures/stored-bytes.ts'
import { sessionToken, temporaryFolder } from '../helper.ts'
import { scaled, small } from '../profile.ts'
import { startServer } from '../processes.ts'

const ACCOUNTS = small ? 8 : 50
const KEYS = 20
const WINDOW = 12

t.test(`storage and logs contain no 12 characters of ${(ACCOUNTS * KEYS).toLocaleString('en')} API keys`, async (t) => {
  const dataDir = temporaryFolder(t)
  const server = await startServer(t, dataDir, {
    LOG_LEVEL: 'trace',
    DEFAULT_PLAN: 'samurai',
    ADDRESS_REQUESTS_PER_HOUR: '10000000'
  })
  const secrets: string[] = []
  const ids: string[] = []
  let replays = 0

  async function live(index: number): Promise<void> {
    const authorization = `Bearer ${await sessionToken(`account-${index}`)}`
    const ask = async (method: string, target: string, headers: Record<string, string>, body?: object) => {
      const answer = await fetch(`${server.url}${target}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body: JSON.stringify(body),
        redirect: 'manual'
      })
      return {
        status: answer.status,
        text: await answer.text(),
        retryAfter: Number(answer.headers.get('retry-after'))
      }
    }
    async function twice(target: string, name: string, body?: object): Promise<{ id: string; key: string }> {
      const headers = { authorization, 'idempotency-key': `no-plaintext-${index}-${name}` }
      let made = await ask('POST', target, headers, body)
      // As documented, a request that is rejected while the limits are unavailable changes nothing
      // and may be repeated.
      for (; made.status === 503; made = await ask('POST', target, headers, body)) await wait(made.retryAfter * 1000)
      const first = JSON.parse(made.text) as { id: string; key: string }
      const second = await ask('POST', target, headers, body)
      secrets.push(first.key)
      if (JSON.parse(second.text).id === first.id && !second.text.includes(first.key)) replays += 1
      return first
    }
    for (let count = 0; count < KEYS; count++) {
      const { id, key } = await twice('/api/keys', `make-${count}`, { name: `Key ${count}` })
      ids.push(id)
      const use = async (value: string) => {
        const statuses = [
          await ask('GET', '/api/v1/blogs', { 'x-api-key': value }),
          await ask('GET', `/api/v1/blogs?api_key=${value}`, {}),
          await ask('GET', `/api/v1/blogs/${value}`, { 'x-api-key': value }),
          await ask('GET', `/nothing/${value}`, { authorization: `Bearer ${value}` })
        ].map(({ status }) => status)
        return statuses.join(' ')
      }
      if ((await use(key)) !== '200 400 404 404') t.fail('a key is used')
      if (count % 4 === 0) {
        const rotated = await twice(`/api/keys/${id}/rotate`, `rotate-${count}`)
        await ask('GET', '/api/v1/blogs', { 'x-api-key': key })
        await use(rotated.key)
      }
    }
  }
  const accounts = [...Array(ACCOUNTS).keys()]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = accounts.pop(); next !== undefined; next = accounts.pop()) await live(next)
    })
  )

  t.equal(new Set(secrets).size, ACCOUNTS * KEYS * 1.25)
  t.equal(replays, secrets.length, 'each was replayed without its value')
  const windows = new Set(
    secrets.flatMap((secret) =>
      Array.from({ length: secret.length - WINDOW + 1 }, (_, at) => secret.slice(at, at + WINDOW))
    )
  )
  t.same(
    found(windows, Buffer.from(`{"a":"${secrets[7]!.slice(20, 33)}"}`)).length,
    1,
    'the search finds what is there'
  )
  for (const [name, bytes] of await storedBytes(dataDir)) t.same(found(windows, bytes), [], `${name} while it runs`)
  await server.end('SIGTERM')
  const stored = await storedBytes(dataDir)
  for (const [name, bytes] of stored) t.same(found(windows, bytes), [], name)
  t.same(
    ids.filter((id) => !stored.some(([, bytes]) => bytes.includes(id))),
    [],
    'all that is stored was searched: every key is there by its id'
  )
  if (scaled) {
    t.ok(
      stored.some(([name]) => name.startsWith('the key ')),
      'what Redis keeps as well'
    )
  }
  const logs = server.out() + server.err()
  t.ok(logs.split('\n').length > secrets.length, 'the logs tell of every request')
  t.match(logs, '[key]', 'and keys in URLs are replaced by a placeholder')
  t.same(found(windows, Buffer.from(logs)), [], 'the logs')
})

/** The runs of characters in `bytes` that hold one of the windows. */
function found(windows: Set<string>, bytes: Buffer): string[] {
  return (bytes.toString('latin1').match(/[0-9A-Za-z_]{12,}/g) ?? []).filter((run) => {
    for (let at = 0; at + WINDOW <= run.length; at++) if (windows.has(run.slice(at, at + WINDOW))) return true
    return false
  })
}
