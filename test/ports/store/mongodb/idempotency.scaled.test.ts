import t from 'tap'
import { claimCollection, createIdempotency } from '../../../../ports/store/mongodb/idempotency.ts'
import { createStorage } from '../../../../ports/store/mongodb/storage.ts'
import { createTransfer } from '../../../../ports/store/mongodb/transfer/index.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const claimOf = (scope: string) => ({
  ...{ scope, bodyHash: 'hash', operationId: 'operation' },
  ...{ at: minute(1), expiresAt: minute(60), staleBefore: minute(0) }
})

t.test('the sizes of stored responses are added up without reading them', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const [store, claims] = [createIdempotency(database), claimCollection(database)]
  const measure = async () => (await createStorage(database).measure('acme')).bytes
  const response = { status: 201, headers: { 'x-a': 'b' }, body: 'é'.repeat(400) }
  for (const key of ['first', 'second', 'third', 'running']) await store.claim(claimOf(`acme ${key}`))
  await store.complete('acme first', response)
  const one = await measure()
  t.ok(one > 800 && one < 1_000, `${one}`)
  await store.complete('acme second', response)
  await store.complete('acme third', response)
  t.equal(await measure(), 3 * one)

  await claims.updateMany({ _id: /first|third/ }, { $unset: { 'answer.bytes': '' } })
  t.equal(await measure(), 3 * one, 'also of responses that the previous version has stored')
  const found = await store.claim({ ...claimOf('acme first'), at: minute(2) })
  t.same(found, { state: 'answered', response })
  t.same(await store.claim({ ...claimOf('acme second'), at: minute(2) }), { state: 'answered', response })

  const exported = await createTransfer(database).page('idempotency', { after: null, limit: 10 })
  t.same(
    exported.records.map(({ answer }) => answer).filter((answer) => answer !== null),
    [response, response, response]
  )
  await claims.deleteMany({})
  await createTransfer(database).put('idempotency', exported.records)
  t.equal(await measure(), 3 * one, 'and of those that are imported')
  await claims.updateMany({ 'answer.status': 201 }, { $set: { 'answer.body': 'x'.repeat(5_000) } })
  t.equal(await measure(), 3 * one, 'their texts are not read')
})
