import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { buildProject, buildAccount, minute } from './fixtures/content.ts'

/** By code point U+FF5E comes before U+1F600; by UTF-16 units it would be the other way round. */
const BY_CODE_POINT = ['Zoe', 'anna', 'ärger', '～', '😀']

export const accountCases: StoreCase[] = [
  {
    title: 'an account is stored unchanged',
    run: async ({ store }) => {
      const account = buildAccount('acme', {
        plan: 'sage',
        requestsPerHour: 700,
        features: [],
        knownProjectsOnly: true
      })
      assert.deepEqual(await store.accounts.insertIfAbsent(account), account)
      assert.deepEqual(await store.accounts.find('acme'), account)
      assert.equal(await store.accounts.find('ACME'), null)
    }
  },
  {
    title: 'insertIfAbsent does not change an existing account',
    run: async ({ store }) => {
      const first = buildAccount('acme', { plan: 'samurai' })
      await store.accounts.insertIfAbsent(first)
      assert.deepEqual(
        await store.accounts.insertIfAbsent(buildAccount('acme', { plan: 'starter', createdAt: minute(9) })),
        first
      )
      assert.deepEqual(await store.accounts.find('acme'), first)
    }
  },
  {
    title: 'concurrent inserts of the same account all return the same account',
    run: async ({ store }) => {
      const accounts = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          store.accounts.insertIfAbsent(buildAccount('acme', { createdAt: minute(at) }))
        )
      )
      const stored = await store.accounts.find('acme')
      for (const account of accounts) assert.deepEqual(account, stored)
    }
  },
  {
    title: 'an update of an account keeps the fields that it does not set',
    run: async ({ store }) => {
      await store.accounts.insertIfAbsent(buildAccount('acme', { requestsPerHour: 5 }))
      const expected = buildAccount('acme', { requestsPerHour: 5, plan: 'samurai', features: ['products'] })
      assert.deepEqual(await store.accounts.update('acme', { plan: 'samurai', features: ['products'] }), expected)
      assert.deepEqual(await store.accounts.find('acme'), expected)
      assert.equal((await store.accounts.update('acme', { requestsPerHour: null }))?.requestsPerHour, null)
      assert.equal(await store.accounts.update('nobody', { plan: 'sage' }), null)
      assert.equal(await store.accounts.find('nobody'), null)
    }
  },
  {
    title: 'concurrent updates of different fields of an account are all stored',
    run: async ({ store }) => {
      await store.accounts.insertIfAbsent(buildAccount('acme'))
      await Promise.all([
        store.accounts.update('acme', { plan: 'sage' }),
        store.accounts.update('acme', { requestsPerHour: 9 }),
        store.accounts.update('acme', { knownProjectsOnly: true })
      ])
      assert.deepEqual(
        await store.accounts.find('acme'),
        buildAccount('acme', { plan: 'sage', requestsPerHour: 9, knownProjectsOnly: true })
      )
    }
  },
  {
    title: 'accounts are listed in code point order of their ids, page by page',
    run: async ({ store }) => {
      for (const id of BY_CODE_POINT.toReversed()) await store.accounts.insertIfAbsent(buildAccount(id))
      const ids = async (afterId: string | null, limit: number) =>
        (await store.accounts.list({ afterId, limit })).map(({ id }) => id)
      assert.deepEqual(await ids(null, 100), BY_CODE_POINT)
      assert.deepEqual(await ids(null, 2), BY_CODE_POINT.slice(0, 2))
      assert.deepEqual(await ids('anna', 2), BY_CODE_POINT.slice(2, 4))
      assert.deepEqual(await ids('b', 1), ['ärger'])
      assert.deepEqual(await ids('😀', 2), [])
    }
  },
  {
    title: 'changing an account object that was passed or returned does not change the store',
    run: async ({ store }) => {
      const given = buildAccount('acme')
      const returned = await store.accounts.insertIfAbsent(given)
      given.features.push('webhooks')
      returned.features.push('products')
      const found = await store.accounts.find('acme')
      found?.features.push('visual-check')
      const features: ['blogs'] = ['blogs']
      const updated = await store.accounts.update('acme', { features })
      updated?.features.push('images')
      features.pop()
      assert.deepEqual(await store.accounts.find('acme'), buildAccount('acme', { features: ['blogs'] }))
    }
  }
]

export const projectCases: StoreCase[] = [
  {
    title: 'a project is inserted once, and `added` reports whether it was',
    run: async ({ store }) => {
      const project = buildProject('acme', 'site', { siteUrl: 'https://acme.example', brandName: 'Acme' })
      assert.deepEqual(await store.projects.insertIfAbsent(project), { project, added: true })
      assert.deepEqual(await store.projects.insertIfAbsent(buildProject('acme', 'site', { name: 'Another' })), {
        project,
        added: false
      })
      assert.deepEqual(await store.projects.find('acme', 'site'), project)
    }
  },
  {
    title: 'of concurrent inserts of the same project, exactly one adds it',
    run: async ({ store }) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          store.projects.insertIfAbsent(buildProject('acme', 'site', { name: `name ${at}` }))
        )
      )
      assert.equal(answers.filter(({ added }) => added).length, 1)
      const stored = await store.projects.find('acme', 'site')
      for (const { project } of answers) assert.deepEqual(project, stored)
    }
  },
  {
    title: 'projects with the same id in two accounts are independent',
    run: async ({ store }) => {
      await store.projects.insertIfAbsent(buildProject('acme', 'site'))
      assert.equal((await store.projects.insertIfAbsent(buildProject('zeta', 'site', { name: 'Z' }))).added, true)
      await store.projects.update('zeta', 'site', { name: 'ZZ' })
      assert.equal((await store.projects.find('acme', 'site'))?.name, 'site')
      assert.equal(await store.projects.delete('acme', 'site'), true)
      assert.equal((await store.projects.find('zeta', 'site'))?.name, 'ZZ')
    }
  },
  {
    title: 'projects with a due schedule are found in all accounts, the earliest first',
    run: async ({ store }) => {
      const add = async (accountId: string, id: string, nextCheckAt?: string | null) =>
        await store.projects.insertIfAbsent(buildProject(accountId, id, { nextCheckAt, visualCheck: { every: '1d' } }))
      await add('zeta', 'a', minute(3))
      await add('acme', 'b', minute(3))
      await add('acme', 'a', minute(3))
      await add('acme', 'early', minute(1))
      await add('acme', 'later', minute(4))
      await add('acme', 'none', null)
      await store.projects.insertIfAbsent(buildProject('acme', 'never'))
      const due = async (now: string, limit = 10) =>
        (await store.projects.dueForCheck(now, limit)).map(({ accountId, id }) => `${accountId} ${id}`)
      assert.deepEqual(await due(minute(3)), ['acme early', 'acme a', 'acme b', 'zeta a'])
      assert.deepEqual(await due(minute(3), 2), ['acme early', 'acme a'])
      assert.deepEqual(await due(minute(0)), [])
      await store.projects.update('acme', 'early', { nextCheckAt: minute(5), nextCheckPosition: 2 })
      await store.projects.update('acme', 'a', { nextCheckAt: null })
      assert.deepEqual(await due(minute(3)), ['acme b', 'zeta a'])
      const [found] = await store.projects.dueForCheck(minute(5), 10)
      assert.deepEqual(found, await store.projects.find('acme', 'b'))
      assert.deepEqual(await due(minute(5)), ['acme b', 'zeta a', 'acme later', 'acme early'])
    }
  },
  {
    title: 'projects of one account are listed in order of id',
    run: async ({ store }) => {
      for (const id of ['b', 'a', 'B', '10', '9']) await store.projects.insertIfAbsent(buildProject('acme', id))
      await store.projects.insertIfAbsent(buildProject('zeta', 'c'))
      assert.deepEqual(
        (await store.projects.list('acme')).map(({ id }) => id),
        ['10', '9', 'B', 'a', 'b']
      )
      assert.deepEqual(
        (await store.projects.list('acme', ['b', 'c', '9', 'b'])).map(({ id }) => id),
        ['9', 'b']
      )
      assert.deepEqual(
        (await store.projects.list('acme', undefined, 2)).map(({ id }) => id),
        ['10', '9']
      )
      assert.deepEqual(
        (await store.projects.list('acme', ['b', 'a'], 1)).map(({ id }) => id),
        ['a']
      )
      assert.deepEqual(await store.projects.list('acme', []), [])
      assert.equal(await store.projects.count('acme'), 5)
      assert.equal(await store.projects.count('nobody'), 0)
      assert.deepEqual(await store.projects.list('nobody'), [])
    }
  },
  {
    title: 'all of many projects are listed',
    run: async ({ store }) => {
      const ids = Array.from({ length: 120 }, (_, at) => `project-${String(at).padStart(3, '0')}`)
      for (const id of ids) await store.projects.insertIfAbsent(buildProject('acme', id))
      assert.deepEqual(
        (await store.projects.list('acme')).map(({ id }) => id),
        ids
      )
      assert.equal((await store.projects.list('acme', undefined, 100)).length, 100)
    }
  },
  {
    title: 'an update of a project keeps the fields that it does not set',
    run: async ({ store }) => {
      await store.projects.insertIfAbsent(buildProject('acme', 'site', { siteUrl: 'https://acme.example' }))
      const change = {
        siteUrl: null,
        name: 'Shop',
        colorScheme: 'auto',
        maxWidth: '46rem',
        updatedAt: minute(3)
      } as const
      const expected = buildProject('acme', 'site', change)
      assert.deepEqual(await store.projects.update('acme', 'site', change), expected)
      assert.deepEqual(await store.projects.find('acme', 'site'), expected)
      assert.equal(await store.projects.update('acme', 'other', { name: 'x' }), null)
      assert.equal(await store.projects.update('zeta', 'site', { name: 'x' }), null)
    }
  },
  {
    title: 'a project is deleted once',
    run: async ({ store }) => {
      await store.projects.insertIfAbsent(buildProject('acme', 'site'))
      assert.equal(await store.projects.delete('zeta', 'site'), false)
      assert.equal(await store.projects.delete('acme', 'site'), true)
      assert.equal(await store.projects.delete('acme', 'site'), false)
      assert.equal(await store.projects.find('acme', 'site'), null)
      assert.deepEqual(await store.projects.list('acme'), [])
    }
  }
]
