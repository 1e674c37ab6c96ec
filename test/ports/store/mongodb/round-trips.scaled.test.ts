import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { prepareFiles } from '../../../../ports/files/open.ts'
import { migrateStore } from '../../../../ports/store/open.ts'
import { countCommands } from '../../../fixtures/mongodb/command-counts.ts'
import { manyRows } from '../../../fixtures/products/catalog.ts'
import { startApp } from '../../../helper.ts'
import { MONGODB_URL, REDIS_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false
/** Up to 1,000 products are one batch of every stage, so that more of them take no other commands. */
const PRODUCTS = 40
const READER = { accountId: 'acme', projectIds: null }
const PLACE = { accountId: 'acme', projectId: 'shop' }
/** An event that is not full waits so long for other products. */
const QUIET_MS = 5_100
/** Renewed every five seconds of work, which takes longer on a slow server. */
const RENEWALS = 'leases.update'

/** Rows without images, which are checked separately. */
const rowsOf = (round: string) =>
  [...manyRows(PRODUCTS)].map(({ imageUrl, images, ...row }) => ({ ...row, externalId: `${round}-${row.externalId}` }))

t.test(
  `${PRODUCTS} products take few commands from their arrival to a webhook`,
  { skip, timeout: 300_000 },
  async (t) => {
    const counts = countCommands()
    const mongodbUrl = `${MONGODB_URL}round_trips_${randomUUID().replaceAll('-', '')}?monitorCommands=true`
    await migrateStore({ mongodbUrl })
    await prepareFiles({ mongodbUrl })
    let received = 0
    const receiver = createServer((request, response) => {
      received += 1
      request.resume().on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    t.teardown(() => receiver.close())
    const { services } = await startApp(t, {
      MONGODB_URL: mongodbUrl,
      REDIS_URL: REDIS_URL!,
      REDIS_PREFIX: `test-${randomUUID()}`,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      STORE_TIMEOUT_MS: '60000',
      OUTBOUND_ALLOW: '127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1',
      // The test runs the jobs, one after the other.
      ROLE: 'api'
    })
    const signal = new AbortController().signal
    await services.accounts.ensure('acme')
    const { port } = receiver.address() as AddressInfo
    const webhook = await services.webhooks.create('acme', { url: `http://127.0.0.1:${port}/` })

    /** The number of commands to the store that a stage takes. A lease is acquired once. */
    async function commandsOf(stage: () => Promise<unknown>): Promise<number> {
      counts.clear()
      await stage()
      const renewals = Math.max(0, (new Map(counts.byName()).get(RENEWALS) ?? 0) - 1)
      return counts.store() - renewals
    }

    /** The commands of each stage after the products were written. */
    async function runStages(): Promise<Record<string, number>> {
      const before = received
      const optimize = await commandsOf(() => services.optimizer.optimizeSlice(PLACE, signal, () => false))
      await wait(QUIET_MS)
      const commands = {
        optimize,
        publish: await commandsOf(() => services.productEvents.publish(PLACE, signal)),
        'fan out': await commandsOf(() => services.webhooks.fanOut('acme', signal)),
        deliver: await commandsOf(() => services.webhooks.deliver('acme', webhook.id, signal))
      }
      t.ok(received > before, 'the webhook was called')
      return commands
    }
    const sum = (commands: Record<string, number>) => Object.values(commands).reduce((total, count) => total + count, 0)

    // The first batch also reads the last numbers of events and deliveries, and measures the storage.
    await services.products.batch(READER, { projectId: 'shop', products: rowsOf('first') }, {})
    await runStages()

    const batch = {
      write: await commandsOf(() =>
        services.products.batch(READER, { projectId: 'shop', products: rowsOf('batch') }, {})
      )
    }
    Object.assign(batch, await runStages())
    t.comment('batch', batch)
    t.ok(sum(batch) <= 40, `${sum(batch)} commands for a batch: ${JSON.stringify(batch)}`)

    const { id } = await services.imports.receive(READER, {
      projectId: 'shop',
      format: 'ndjson',
      mapping: null,
      body: Readable.from(rowsOf('import').map((row) => Buffer.from(`${JSON.stringify(row)}\n`)))
    })
    const imported = await commandsOf(() => services.imports.run('acme', id, { signal }))
    t.equal((await services.imports.read(READER, id)).created, PRODUCTS)
    t.ok(imported <= 10, `${imported} commands for an import`)
  }
)
