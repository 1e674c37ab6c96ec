import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { createSecretsKeyCheck } from '../../services/secrets-key.ts'
import { appSettings, openTestStore, person, temporaryFolder } from '../helper.ts'
import { createSvc } from '../processes.ts'
import { testEmbedded } from '../profile.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const [FIRST, SECOND, THIRD] = [newKey(), newKey(), newKey()] as const
const WRONG = /^SECRETS_KEY cannot decrypt the secrets in this store.*SECRETS_KEY=NEW,OLD.*accept-key/s

/** A service on one data folder that is started and stopped with different keys. */
function restartable(t: Test, folder = temporaryFolder(t)) {
  const settings = async (key: string | undefined) => ({
    ...(await appSettings(folder)),
    ...(key === undefined ? {} : { SECRETS_KEY: key })
  })
  return {
    folder,
    async start(key?: string, act: (call: Awaited<ReturnType<typeof person>>) => Promise<unknown> = async () => {}) {
      const app = await buildApp(await settings(key))
      try {
        await act(await person(app, 'operator', { role: 'admin' }))
      } finally {
        await app.close()
      }
    },
    async rejects(t: Test, key: string, name: string) {
      await t.rejects(this.start(key), WRONG, name)
    },
    svc: async (key: string, ...args: string[]) => await createSvc(folder, await settings(key))(...args)
  }
}

const rotateKey = async (call: Awaited<ReturnType<typeof person>>) =>
  await call('POST', '/api/admin/secrets/rotate-key')

t.test('a service does not start with another SECRETS_KEY than before', async (t) => {
  const service = restartable(t)
  await service.start(FIRST)
  await service.rejects(t, SECOND, 'another key')
  await service.start(FIRST)
})

t.test('keys are replaced by a rotation, and only then the old key can be removed', async (t) => {
  const service = restartable(t)
  await service.start(FIRST)
  await service.start(`${FIRST},${SECOND}`)
  await service.rejects(t, SECOND, 'before the rotation')
  await service.start(`${SECOND},${FIRST}`, rotateKey)
  await service.start(SECOND)
  await service.start(`${THIRD},${SECOND}`)
  await service.rejects(t, FIRST, 'the removed key')
})

t.test('a lost key is replaced by accept-key', async (t) => {
  const service = restartable(t)
  await service.start(FIRST)
  const { code, err } = await service.svc(SECOND, 'secrets', 'accept-key')
  t.equal(code, 0, err)
  await service.start(SECOND)
  await service.rejects(t, FIRST, 'the replaced key')
  t.match(await service.svc(FIRST, 'keys', 'list', '--account', 'acme'), { code: 1, err: WRONG })
})

testEmbedded('a store without a check value is checked by its signing secrets', async (t) => {
  const service = restartable(t)
  await service.start(FIRST, async (call) => {
    const created = await call('POST', '/api/webhooks', { url: 'https://receiver.example/hook' })
    t.equal(created.statusCode, 201, created.body)
  })
  // As left by a version that wrote no check value.
  const file = new DatabaseSync(path.join(service.folder, 'store.db'))
  file.exec('DELETE FROM metadata')
  file.close()
  await service.rejects(t, SECOND, 'another key')
  await service.start(FIRST)
})

t.test('of concurrent first starts with different keys, one succeeds', async (t) => {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const keys = Array.from({ length: 5 }, () => randomBytes(32))
  const results = await Promise.allSettled(keys.map((key) => createSecretsKeyCheck({ store, keys: [key] }).verify()))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

testEmbedded('a replaced key file is detected', async (t) => {
  const service = restartable(t)
  await service.start()
  const file = path.join(service.folder, 'secrets', 'key')
  const key = readFileSync(file, 'utf8')
  writeFileSync(file, newKey())
  await t.rejects(service.start(), WRONG)
  writeFileSync(file, key)
  await service.start()
})
