import type { DeliveryRecord, NewEvent } from '../../../../ports/store/port.ts'
import { mutant, pause, type Mutant } from './mutant.ts'

/** A little earlier, or later. */
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

const eventMutants: Mutant[] = [
  mutant('the events of a blog are forgotten when it is added', 'blogs', (blogs) => ({
    add: async (blog) => await blogs.add(blog)
  })),
  mutant('the events of a blog are forgotten when it is saved', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) => await blogs.save(blog, ifVersion)
  })),
  mutant('the events of a blog are forgotten when it is deleted', 'blogs', (blogs) => ({
    delete: async (tombstone, ifVersion) => await blogs.delete(tombstone, ifVersion)
  })),
  mutant('the events of a blog come before it is known whether it can be added', 'blogs', (blogs, store) => ({
    add: async (blog, events = []) => {
      await store.events.add(events)
      await blogs.add(blog)
    }
  })),
  mutant('the events of a blog come though nothing was saved', 'blogs', (blogs, store) => ({
    save: async (blog, ifVersion, events = []) => {
      const saved = await blogs.save(blog, ifVersion, events)
      if (!saved) await store.events.add(events)
      return saved
    }
  })),
  mutant('add takes the last that was written down', 'events', (events) => {
    const last = new Map<string, NewEvent>()
    return {
      add: async (added) => {
        for (const event of added) last.set(event.id, event)
        await events.add(added)
      },
      find: async (accountId, id) => {
        const found = await events.find(accountId, id)
        return found === null ? null : { ...found, tail: last.get(id)?.tail ?? found.tail }
      }
    }
  }),
  mutant('add writes an event down again with a number of its own', 'events', (events) => {
    let again = 0
    return {
      add: async (added) =>
        await events.add(
          await Promise.all(
            added.map(async (event) =>
              (await events.find(event.accountId, event.id)) === null
                ? event
                : { ...event, id: `${event.id}-${again++}` }
            )
          )
        )
    }
  }),
  mutant('events are numbered across accounts', 'events', (events) => ({
    add: async (added) => await events.add(added.map((event) => ({ ...event, accountId: 'acme' })))
  })),
  mutant('events are numbered by their time', 'events', (events) => ({
    add: async (added) => await events.add(added.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)))
  })),
  mutant('the bytes of an event are read as JSON and written anew', 'events', (events) => ({
    add: async (added) =>
      await events.add(added.map((event) => ({ ...event, tail: event.tail.replaceAll('\\u2028', '\u2028') }))),
    find: async (accountId, id) => {
      const found = await events.find(accountId, id)
      return found === null ? null : { ...found, tail: JSON.stringify(JSON.parse(`{${found.tail.slice(1)}`)) }
    }
  })),
  mutant('list includes the number that one is to go on after', 'events', (events) => ({
    list: async (accountId, page) => await events.list(accountId, { ...page, after: page.after - 1 })
  })),
  mutant('list looks for types only among so many', 'events', (events) => ({
    list: async (accountId, { types, ...page }) =>
      (await events.list(accountId, page)).filter(({ type }) => types === undefined || types.includes(type))
  })),
  mutant('pendingFanOut tells all', 'events', (events) => ({
    pendingFanOut: async (accountId, limit) => await events.list(accountId, { after: 0, limit })
  })),
  mutant('pendingFanOutAccounts tells an account once for each event', 'events', (events) => ({
    pendingFanOutAccounts: async (limit) =>
      (
        await Promise.all(
          (await events.pendingFanOutAccounts(limit)).map(async (id) => await events.pendingFanOut(id, limit))
        )
      )
        .flat()
        .map(({ accountId }) => accountId)
  })),
  mutant('markFannedOut marks the events of any account', 'events', (events) => ({
    markFannedOut: async (accountId, ids) => {
      for (const id of [accountId, ...(await events.pendingFanOutAccounts(99))]) await events.markFannedOut(id, ids)
    }
  })),
  mutant('addProductEvent marks one product after the other', 'events', (events) => ({
    addProductEvent: async (event, publications) => {
      for (const [at, one] of publications.entries()) {
        if (!(await events.addProductEvent({ ...event, id: at === 0 ? event.id : `${event.id}-${at}` }, [one])))
          return false
      }
      return true
    }
  })),
  mutant('addProductEvent ignores the versions', 'events', (events, store) => ({
    addProductEvent: async (event, publications) =>
      await events.addProductEvent(
        event,
        await Promise.all(
          publications.map(async (one) => ({
            ...one,
            ifVersion: (await store.products.find(event.accountId, one.id))?.version ?? 0
          }))
        )
      )
  })),
  mutant('addProductEvent adds the event in any case', 'events', (events) => ({
    addProductEvent: async (event, publications) => {
      const done = await events.addProductEvent(event, publications)
      if (!done) await events.add([event])
      return done
    }
  })),
  mutant('addProductEvent marks the products though the event is known', 'events', (events) => ({
    addProductEvent: async (event, publications) =>
      (await events.find(event.accountId, event.id)) === null
        ? await events.addProductEvent(event, publications)
        : (await events.addProductEvent({ ...event, id: `${event.id}-again` }, publications)) && false
  })),
  mutant('sweep removes what was not fanned out', 'events', (events) => ({
    deleteBefore: async (before, limit) => {
      for (const accountId of await events.pendingFanOutAccounts(99)) {
        await events.markFannedOut(
          accountId,
          (await events.pendingFanOut(accountId, 99)).map(({ id }) => id)
        )
      }
      return await events.deleteBefore(before, limit)
    }
  })),
  mutant('sweep removes what happened at that time', 'events', (events) => ({
    deleteBefore: async (before, limit) => await events.deleteBefore(shifted(before, 1), limit)
  })),
  mutant('sweep removes all at once', 'events', (events) => ({
    deleteBefore: async (before) => await events.deleteBefore(before, 1000)
  })),
  mutant('numbers begin anew when the events were swept', 'events', (events) => {
    let swept = 0
    return {
      deleteBefore: async (before, limit) => {
        const count = await events.deleteBefore(before, limit)
        swept += count
        return count
      },
      list: async (accountId, page) => {
        const found = await events.list(accountId, page)
        return found.map((event) => ({ ...event, sequence: swept > 3 ? event.sequence - 1 : event.sequence }))
      }
    }
  })
]

const webhookMutants: Mutant[] = [
  mutant('add ignores how many webhooks there may be', 'webhooks', (webhooks) => ({
    add: async (webhook) => await webhooks.add(webhook, Infinity)
  })),
  mutant('add counts first and writes later', 'webhooks', (webhooks) => ({
    add: async (webhook, most) => {
      const { length } = await webhooks.list(webhook.accountId)
      await pause()
      return length < most && (await webhooks.add(webhook, Infinity))
    }
  })),
  mutant('save ignores the version', 'webhooks', (webhooks) => ({
    save: async (webhook) =>
      await webhooks.save(webhook, (await webhooks.find(webhook.accountId, webhook.id))?.version ?? 0)
  })),
  mutant('save looks first and writes later', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) => {
      const found = await webhooks.find(webhook.accountId, webhook.id)
      await pause()
      return (
        found?.version === ifVersion &&
        (await webhooks.save(webhook, (await webhooks.find(webhook.accountId, webhook.id))?.version ?? 0))
      )
    }
  })),
  mutant('save adds what is not there', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) =>
      (await webhooks.save(webhook, ifVersion)) || (await webhooks.add(webhook, 50).catch(() => false))
  })),
  mutant('webhooks are listed newest first', 'webhooks', (webhooks) => ({
    list: async (accountId) => (await webhooks.list(accountId)).reverse()
  })),
  mutant('find hands out what was given', 'webhooks', (webhooks) => {
    const given = new Map<string, Parameters<typeof webhooks.add>[0]>()
    return {
      add: async (webhook, most) => {
        const added = await webhooks.add(webhook, most)
        if (added) given.set(webhook.id, webhook)
        return added
      },
      find: async (accountId, id) => ((await webhooks.find(accountId, id)) === null ? null : (given.get(id) ?? null))
    }
  }),
  mutant('remove only disables', 'webhooks', (webhooks) => ({
    delete: async (accountId, id) => {
      const found = await webhooks.find(accountId, id)
      return found !== null && (await webhooks.save({ ...found, disabledBy: 'person' }, found.version))
    }
  })),
  { title: 'the deliveries of a removed webhook stay', collection: 'webhooks', wrap: keepAfterRemoval('deliveries') },
  { title: 'the recoveries of a removed webhook stay', collection: 'webhooks', wrap: keepAfterRemoval('recoveries') }
]

/**
 * A store that still knows the deliveries or recoveries that it had of a webhook that is removed.
 */
function keepAfterRemoval(collection: 'deliveries' | 'recoveries'): Mutant['wrap'] {
  return (store) => {
    const { find } = store[collection]
    const cached = new Map<string, unknown>()
    const remembering = async (accountId: string, id: string) => (await find(accountId, id)) ?? cached.get(id) ?? null
    const wrapped =
      collection === 'deliveries'
        ? {
            add: async (added: Parameters<typeof store.deliveries.add>[0]) => {
              for (const one of added) cached.set(one.id, one)
              await store.deliveries.add(added)
            }
          }
        : {
            add: async (one: Parameters<typeof store.recoveries.add>[0]) => {
              cached.set(one.id, one)
              await store.recoveries.add(one)
            }
          }
    return { ...store, [collection]: { ...store[collection], ...wrapped, find: remembering } }
  }
}

const deliveryMutants: Mutant[] = [
  mutant('a delivery that is there already takes a number', 'deliveries', (deliveries) => {
    const known = new Set<string>()
    let again = 0
    return {
      add: async (added) => {
        for (const { webhookId, eventId } of added) {
          if (known.has(webhookId + eventId)) again++
          known.add(webhookId + eventId)
        }
        await deliveries.add(added)
      },
      list: async (filter, page) => {
        const { deliveries: found, totalCount } = await deliveries.list(filter, page)
        return {
          deliveries: found.map((delivery) => ({ ...delivery, sequence: delivery.sequence + again })),
          totalCount
        }
      }
    }
  }),
  mutant("numbers at a webhook follow the events' times", 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.toSorted((a, b) => (a.eventAt < b.eventAt ? -1 : 1)))
  })),
  mutant('skipped deliveries get no number', 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.filter(({ status }) => status !== 'skipped'))
  })),
  mutant('take takes what is not due', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, 60_000) })
  })),
  mutant('take leaves out what is due at this instant', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, -1) })
  })),
  mutant('take leases nothing', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => {
      const taken = await deliveries.claim(id, terms)
      await deliveries.release(
        id,
        taken.map(({ delivery }) => delivery.id)
      )
      return taken
    }
  })),
  mutant('take gives the same to those who ask at once', 'deliveries', (deliveries) => {
    let look: ReturnType<typeof deliveries.claim> | null = null
    return {
      claim: async (id, terms) => {
        look ??= deliveries.claim(id, terms)
        const taken = await look
        await pause()
        look = null
        return taken
      }
    }
  }),
  mutant('take holds leases for ever', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, leaseUntil: '2099-01-01T00:00:00.000Z' })
  })),
  mutant('take ignores how many are in flight', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, maxInFlight: 1000 })
  })),
  mutant('take ignores how many are wanted', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, limit: 1000 })
  })),
  mutant('take gives the largest number first', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => (await deliveries.claim(id, terms)).reverse()
  })),
  mutant('take forgets the project', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => (await deliveries.claim(id, terms)).map((taken) => ({ ...taken, projectId: 'site' }))
  })),
  mutant('release counts as an attempt', 'deliveries', (deliveries) => ({
    release: async (webhookId, ids) => {
      await deliveries.release(webhookId, ids)
      for (const id of ids) {
        const found = await deliveries.find('acme', id)
        if (found !== null) await deliveries.recordAttempts([{ ...failedOnce(found.delivery), webhookId }])
      }
    }
  })),
  mutant('release releases those of other webhooks', 'deliveries', (deliveries) => ({
    release: async (_webhookId, ids) => {
      for (const id of ids) {
        const found = await deliveries.find('acme', id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
    }
  })),
  mutant('record keeps the lease until it ends', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null || found.delivery.attempts === 0
        ? found
        : { ...found, delivery: { ...found.delivery, leasedUntil: found.delivery.nextAttemptAt } }
    }
  })),
  mutant('record writes down the first change alone', 'deliveries', (deliveries) => ({
    recordAttempts: async (changes) => await deliveries.recordAttempts(changes.slice(0, 1))
  })),
  mutant('record ignores whose the delivery is', 'deliveries', (deliveries) => ({
    recordAttempts: async (changes) =>
      await deliveries.recordAttempts(
        await Promise.all(
          changes.map(async (change) => ({
            ...change,
            webhookId: (await deliveries.find('acme', change.id))?.delivery.webhookId ?? change.webhookId
          }))
        )
      )
  })),
  mutant('record adds an attempt again', 'deliveries', (deliveries) => {
    let again = 100
    return {
      recordAttempts: async (changes) => {
        for (const change of changes) {
          const known =
            (await deliveries.find('acme', change.id))?.attemptLog.some(
              ({ number }) => number === change.attempt.number
            ) ?? false
          await deliveries.recordAttempts([
            known ? { ...change, attempt: { ...change.attempt, number: again++ } } : change
          ])
        }
      }
    }
  }),
  mutant('find tells the last ten attempts', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.slice(-10) }
    }
  })),
  mutant('find tells the newest attempt first', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.toReversed() }
    }
  })),
  mutant('reopen takes what somebody is trying', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      for (const id of ids) {
        const found = await deliveries.find(accountId, id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
      return await deliveries.requeue(accountId, ids, at)
    }
  })),
  mutant('reopen leaves what was delivered', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      const found = await Promise.all(ids.map((id) => deliveries.find(accountId, id)))
      return await deliveries.requeue(
        accountId,
        ids.filter((_, index) => found[index]?.delivery.status !== 'delivered'),
        at
      )
    }
  })),
  mutant('reopen counts what it was given', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      await deliveries.requeue(accountId, ids, at)
      return ids.length
    }
  })),
  mutant('list tells the number on the page as the total', 'deliveries', (deliveries) => ({
    list: async (filter, page) => {
      const { deliveries: found } = await deliveries.list(filter, page)
      return { deliveries: found, totalCount: found.length }
    }
  })),
  mutant('list tells the oldest first', 'deliveries', (deliveries) => ({
    list: async (filter, page) => {
      const { deliveries: found, totalCount } = await deliveries.list(filter, page)
      return { deliveries: found.toReversed(), totalCount }
    }
  })),
  ...(['status', 'event', 'since'] as const).map((name) =>
    mutant(`list ignores ${name}`, 'deliveries', (deliveries) => ({
      list: async ({ [name]: _, ...filter }, page) => await deliveries.list(filter, page)
    }))
  ),
  mutant('between includes the last instant', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, until: shifted(span.until, 1) })
  })),
  mutant('between leaves out the first instant', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, since: shifted(span.since, 1) })
  })),
  mutant('between leaves out what was delivered', 'deliveries', (deliveries) => ({
    between: async (id, span) => (await deliveries.between(id, span)).filter(({ status }) => status !== 'delivered')
  })),
  mutant('between begins anew on every page', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, afterSequence: 0 })
  })),
  mutant('dueWebhooks tells a webhook once for each delivery', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) =>
      (await deliveries.dueWebhooks(now, limit)).flatMap((webhook) => [webhook, webhook])
  })),
  mutant('dueWebhooks tells of disabled ones', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, limit) => {
      const disabled = (await store.webhooks.list('acme')).filter(({ disabledBy }) => disabledBy !== null)
      return [
        ...(await deliveries.dueWebhooks(now, limit)),
        ...disabled.map(({ id }) => ({ accountId: 'acme', webhookId: id }))
      ]
    }
  })),
  mutant('dueWebhooks tells of paused ones', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, limit) => {
      const paused = (await store.webhooks.list('acme')).filter(
        ({ health }) => health.pausedUntil !== null && health.pausedUntil > now
      )
      return [
        ...paused.map(({ id }) => ({ accountId: 'acme', webhookId: id })),
        ...(await deliveries.dueWebhooks(now, limit))
      ].slice(0, limit)
    }
  })),
  mutant('dueWebhooks leaves out what was ever paused', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, limit) => {
      const paused = new Set(
        (await store.webhooks.list('acme')).filter(({ health }) => health.pausedUntil !== null).map(({ id }) => id)
      )
      return (await deliveries.dueWebhooks(now, limit)).filter(({ webhookId }) => !paused.has(webhookId))
    }
  })),
  mutant('dueWebhooks tells the latest due first', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) => (await deliveries.dueWebhooks(now, limit)).toReversed()
  })),
  mutant('dueWebhooks tells what will be due', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) => await deliveries.dueWebhooks(shifted(now, 60_000), limit)
  })),
  mutant('nextDueAt looks past the first', 'deliveries', (deliveries, store) => ({
    nextDueAt: async (webhookId) => {
      const { deliveries: pending } = await deliveries.list(
        { accountId: 'acme', webhookId, status: 'pending' },
        { page: 1, pageSize: 1 }
      )
      return pending[0]?.nextAttemptAt ?? null
    }
  })),
  mutant('nextDueAt ignores leases', 'deliveries', (deliveries) => ({
    nextDueAt: async (webhookId) => {
      const { deliveries: pending } = await deliveries.list(
        { accountId: 'acme', webhookId, status: 'pending' },
        { page: 1, pageSize: 100 }
      )
      return pending.map(({ nextAttemptAt }) => nextAttemptAt).toSorted()[0] ?? null
    }
  })),
  { title: 'leases end with the process', collection: 'deliveries', wrap: forgetfulOfLeases() }
]

/** An attempt of the delivery that failed. */
function failedOnce(delivery: DeliveryRecord) {
  const number = delivery.attempts + 1
  const attempt = {
    number,
    at: delivery.createdAt,
    durationMs: 0,
    status: null,
    error: null,
    detail: null,
    address: null,
    requestHeaders: {},
    responseHeaders: {},
    response: ''
  }
  return { ...delivery, attempts: number, attempt }
}

/** Wraps stores that give back all leases when they are opened again. */
function forgetfulOfLeases(): Mutant['wrap'] {
  const taken: [string, string][] = []
  return (store) => ({
    ...store,
    deliveries: {
      ...store.deliveries,
      claim: async (webhookId, terms) => {
        const got = await store.deliveries.claim(webhookId, terms)
        taken.push(...got.map(({ delivery }): [string, string] => [webhookId, delivery.id]))
        return got
      },
      find: async (accountId, id) => {
        for (const [webhookId, leased] of taken) await store.deliveries.release(webhookId, [leased])
        return await store.deliveries.find(accountId, id)
      }
    }
  })
}

const recoveryMutants: Mutant[] = [
  mutant('advance ignores where the recovery stands', 'recoveries', (recoveries) => ({
    advance: async ({ accountId, id }, step) =>
      await recoveries.advance(
        { accountId, id, afterSequence: (await recoveries.find(accountId, id))?.afterSequence ?? 0 },
        step
      )
  })),
  mutant('advance goes on though the recovery is done', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) =>
      (await recoveries.advance(recovery, step)) ||
      (await recoveries.find(recovery.accountId, recovery.id))?.status === 'done'
  })),
  mutant('advance reopens in any case', 'recoveries', (recoveries, store) => ({
    advance: async (recovery, step) => {
      await store.deliveries.requeue(recovery.accountId, step.requeue, step.at)
      return await recoveries.advance(recovery, step)
    }
  })),
  mutant('advance reopens nothing', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, requeue: [] })
  })),
  mutant('advance reopens at once', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, at: '2030-01-01T00:00:00.000Z' })
  })),
  mutant('advance writes nothing down', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, change: {} })
  })),
  mutant('unfinished tells of what is done', 'recoveries', (recoveries) => {
    const all: { accountId: string; id: string }[] = []
    return {
      add: async (recovery) => {
        all.push({ accountId: recovery.accountId, id: recovery.id })
        await recoveries.add(recovery)
      },
      unfinished: async (limit) => all.slice(0, limit)
    }
  }),
  {
    title: 'sweep leaves the recoveries',
    collection: 'recoveries',
    wrap: (store) => ({ ...store, events: { ...store.events, deleteBefore: async () => 0 } })
  }
]

/** Stores that each break one promise about events, webhooks, deliveries or recoveries. */
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  ...eventMutants,
  ...webhookMutants,
  ...deliveryMutants,
  ...recoveryMutants
]
