import assert from 'node:assert/strict'
import { IMPORT_ERRORS_BYTES, type ImportRecord } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { minute } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'
import { buildImport, buildImportError, buildImportStep } from './fixtures/products.ts'
import { buildEvent } from './fixtures/webhooks.ts'

const ALL = { accountId: 'acme', projectIds: null }
const PAGE = { page: 1, pageSize: 100 }
const EVERY = { afterLine: 0, limit: 100 }
const idsOf = (imports: { id: string }[]) => imports.map(({ id }) => id)

/** An import that has ended at this time. */
const ended = (finishedAt: string, change: Partial<ImportRecord> = {}) =>
  buildImport({ status: 'done', finishedAt, ...change })

export const importCases: StoreCase[] = [
  {
    title: 'an import is stored unchanged and found by its id',
    run: async ({ store }) => {
      const [queued, plain] = [
        buildImport(),
        buildImport({ mapping: null, startedAt: minute(1), reason: 'It is no CSV' })
      ]
      for (const each of [queued, plain]) {
        await store.imports.add(each)
        assert.deepEqual(await store.imports.find('acme', each.id), each)
      }
      assert.equal(await store.imports.find('zeta', queued.id), null)
      assert.equal(await store.imports.find('acme', 'nothing'), null)
    }
  },
  {
    title: 'imports of a scope are listed newest first, then by id descending, page by page',
    run: async ({ store }) => {
      const [a, b, c, d] = [
        buildImport({ createdAt: minute(5) }),
        buildImport({ createdAt: minute(5), projectId: 'shop' }),
        buildImport({ createdAt: minute(7) }),
        buildImport({ createdAt: minute(3), projectId: 'shop' })
      ]
      for (const each of [b, d, c, a, buildImport({ accountId: 'zeta' })]) await store.imports.add(each)
      const listed = async (filter: object, page = PAGE) => {
        const { imports, totalCount } = await store.imports.list({ ...ALL, ...filter }, page)
        return { ids: idsOf(imports), totalCount }
      }
      assert.deepEqual(await listed({}), { ids: [c.id, b.id, a.id, d.id], totalCount: 4 })
      assert.deepEqual(await listed({}, { page: 2, pageSize: 3 }), { ids: [d.id], totalCount: 4 })
      assert.deepEqual(await listed({}, { page: 9, pageSize: 3 }), { ids: [], totalCount: 4 })
      for (const shop of [{ projectId: 'shop' }, { projectIds: ['shop', 'nothing'] }, { projectIds: ['shop'] }]) {
        assert.deepEqual(await listed(shop), { ids: [b.id, d.id], totalCount: 2 })
      }
      assert.deepEqual(await listed({ projectIds: ['site'], projectId: 'shop' }), { ids: [], totalCount: 0 })
      assert.deepEqual((await store.imports.list(ALL, PAGE)).imports[0], c)
    }
  },
  {
    title: 'a step from the current row stores its errors and events and changes only its fields',
    run: async ({ store }) => {
      const queued = buildImport()
      await store.imports.add(queued)
      const event = buildEvent({ type: 'products.import.completed' })
      const errors = [
        buildImportError(queued, 7),
        buildImportError(queued, 3, { externalId: null, row: 'x'.repeat(100_000) })
      ]
      const change = {
        status: 'running',
        startedAt: minute(1),
        nextByte: 500,
        nextLine: 9,
        processed: 8,
        created: 5,
        failed: 2,
        updated: 1
      } as const
      const after = { ...queued, ...change }
      assert.deepEqual(await store.imports.advance(buildImportStep(queued, { change, errors, events: [event] })), after)
      assert.deepEqual(await store.imports.find('acme', queued.id), after)
      assert.deepEqual(await store.imports.errors(queued.id, EVERY), errors.toReversed())
      assert.deepEqual(
        (await store.events.list('acme', { after: 0, limit: 10 })).map(({ id, sequence }) => ({ id, sequence })),
        [{ id: event.id, sequence: 1 }]
      )
    }
  },
  {
    title: 'a step from another row, of another account or of a finished import changes nothing',
    run: async ({ store }) => {
      const ends = (['done', 'failed', 'cancelled'] as const).map((status) => ended(minute(4), { status }))
      const running = buildImport({ status: 'running', nextByte: 200 })
      for (const each of [running, ...ends]) await store.imports.add(each)
      for (const step of [
        ...ends.map((each) => buildImportStep(each)),
        buildImportStep(running, { fromByte: 0 }),
        buildImportStep(running, { fromByte: 300 }),
        buildImportStep({ ...running, accountId: 'zeta' }),
        buildImportStep({ ...running, id: 'nothing' })
      ]) {
        const errors = [...ends, running].map((each) => buildImportError(each, 1))
        assert.equal(await store.imports.advance({ ...step, errors, events: [buildEvent()] }), null)
      }
      for (const each of [running, ...ends]) {
        assert.deepEqual(await store.imports.find('acme', each.id), each)
        assert.deepEqual(await store.imports.errors(each.id, EVERY), [])
      }
      assert.deepEqual(await store.events.list('acme', { after: 0, limit: 10 }), [])
    }
  },
  {
    title: 'of concurrent attempts at a step, exactly one succeeds',
    run: async ({ store }) => {
      const queued = buildImport()
      await store.imports.add(queued)
      const done = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          store.imports.advance(buildImportStep(queued, { events: [buildEvent({ id: `e-${at}` })] }))
        )
      )
      assert.equal(done.filter((each) => each !== null).length, 1)
      assert.equal((await store.events.list('acme', { after: 0, limit: 10 })).length, 1)
    }
  },
  {
    title: 'the errors of an import are stored once and listed by line, page by page',
    run: async ({ store }) => {
      const [queued, other] = [buildImport(), buildImport()]
      for (const each of [queued, other]) await store.imports.add(each)
      const errors = [10, 9, 2].map((line) => buildImportError(queued, line))
      const after = await store.imports.advance(buildImportStep(queued, { errors }))
      assert.ok(after)
      await store.imports.advance(
        buildImportStep(after, { errors: [buildImportError(queued, 9), buildImportError(queued, 30)] })
      )
      await store.imports.advance(buildImportStep(other, { errors: [buildImportError(other, 4)] }))
      const linesOf = async (page: typeof EVERY) =>
        (await store.imports.errors(queued.id, page)).map(({ line }) => line)
      assert.deepEqual(await linesOf(EVERY), [2, 9, 10, 30])
      assert.deepEqual(await linesOf({ afterLine: 2, limit: 2 }), [9, 10])
      assert.deepEqual(await linesOf({ afterLine: 30, limit: 2 }), [])
      assert.deepEqual(await store.imports.errors('nothing', EVERY), [])
    }
  },
  {
    title: 'a page of long errors ends early, with one error at least',
    run: async ({ store }) => {
      const queued = buildImport()
      await store.imports.add(queued)
      const lengths = [10, 400_000, 500_000, 300_000, 2 * IMPORT_ERRORS_BYTES, 10]
      const errors = lengths.map((length, line) => ({ ...buildImportError(queued, line + 1), row: 'x'.repeat(length) }))
      await store.imports.advance(buildImportStep(queued, { errors }))
      const pages: number[][] = []
      for (let afterLine = 0; ; afterLine = pages.at(-1)!.at(-1)!) {
        const page = await store.imports.errors(queued.id, { afterLine, limit: 5 })
        if (page.length === 0) break
        assert.deepEqual(page, errors.slice(afterLine, afterLine + page.length))
        pages.push(page.map(({ line }) => line))
      }
      assert.deepEqual(pages, [[1, 2, 3], [4], [5], [6]])
    }
  },
  {
    title: 'a running import can be cancelled, and a finished one cannot',
    run: async ({ store }) => {
      const [queued, running, over] = [buildImport(), buildImport({ status: 'running', nextByte: 5 }), ended(minute(4))]
      for (const each of [queued, running, over]) await store.imports.add(each)
      for (const each of [queued, running]) {
        const asked = { ...each, cancelRequested: true }
        assert.deepEqual(await store.imports.requestCancel('acme', each.id), asked)
        assert.deepEqual(await store.imports.requestCancel('acme', each.id), asked)
        assert.deepEqual(await store.imports.find('acme', each.id), asked)
      }
      assert.deepEqual(await store.imports.requestCancel('acme', over.id), over)
      assert.deepEqual(await store.imports.find('acme', over.id), over)
      assert.equal(await store.imports.requestCancel('zeta', queued.id), null)
      assert.equal((await store.imports.advance(buildImportStep(running)))?.cancelRequested, true)
    }
  },
  {
    title: 'unfinished imports of all accounts are listed oldest first',
    run: async ({ store }) => {
      const [a, b, c] = [
        buildImport({ createdAt: minute(2) }),
        buildImport({ createdAt: minute(2), status: 'running' }),
        buildImport({ createdAt: minute(1), accountId: 'zeta' })
      ]
      for (const each of [b, ended(minute(4)), c, a]) await store.imports.add(each)
      assert.deepEqual(
        await sweepList(store.imports.unfinished),
        [c, a, b].map(({ accountId, id }) => ({ accountId, id }))
      )
      await store.imports.advance(
        buildImportStep(c, { change: { status: 'failed', finishedAt: minute(9), reason: 'No' } })
      )
      assert.deepEqual(idsOf(await sweepList(store.imports.unfinished)), [a.id, b.id])
    }
  },
  {
    title: 'imports that finished before a time are listed oldest first, for all accounts',
    run: async ({ store }) => {
      const [a, b, c] = [
        ended(minute(6)),
        ended(minute(4), { status: 'failed', accountId: 'zeta' }),
        ended(minute(8), { status: 'cancelled' })
      ]
      for (const each of [c, a, buildImport({ createdAt: minute(0) }), b]) await store.imports.add(each)
      assert.deepEqual(
        await store.imports.finishedBefore(minute(8), 10),
        [b, a].map(({ accountId, id }) => ({ accountId, id }))
      )
      assert.deepEqual(idsOf(await store.imports.finishedBefore(minute(9), 2)), [b.id, a.id])
    }
  },
  {
    title: 'deleting an import deletes its errors and no other import',
    run: async ({ store }) => {
      const [gone, remaining] = [buildImport(), buildImport()]
      for (const each of [gone, remaining]) {
        await store.imports.add(each)
        await store.imports.advance(buildImportStep(each, { errors: [buildImportError(each, 1)] }))
      }
      await store.imports.delete('zeta', gone.id)
      assert.equal((await store.imports.errors(gone.id, EVERY)).length, 1)
      await store.imports.delete('acme', gone.id)
      await store.imports.delete('acme', gone.id)
      assert.equal(await store.imports.find('acme', gone.id), null)
      assert.deepEqual(await store.imports.errors(gone.id, EVERY), [])
      assert.deepEqual((await store.imports.errors(remaining.id, EVERY)).length, 1)
      assert.deepEqual(idsOf(await sweepList(store.imports.unfinished)), [remaining.id])
    }
  },
  {
    title: 'imports survive reopening the store',
    run: async ({ store, reopen }) => {
      const queued = buildImport()
      await store.imports.add(queued)
      const after = await store.imports.advance(buildImportStep(queued, { errors: [buildImportError(queued, 2)] }))
      const again = await reopen()
      assert.deepEqual(await again.imports.find('acme', queued.id), after)
      assert.deepEqual(await again.imports.errors(queued.id, EVERY), [buildImportError(queued, 2)])
    }
  }
]
