import type { DeliveryRecord, NewEvent } from '../../../ports/store/port.ts'
import { breaking, pause, type Sabotage } from './sabotage.ts'

/** A little earlier, or later. */
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

const eventSabotages: Sabotage[] = [
  breaking('the events of a blog are forgotten when it is added', 'blogs', (blogs) => ({
    add: async (blog) => await blogs.add(blog)
  })),
  breaking('the events of a blog are forgotten when it is saved', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) => await blogs.save(blog, ifVersion)
  })),
  breaking('the events of a blog are forgotten when it is deleted', 'blogs', (blogs) => ({
    delete: async (tombstone, ifVersion) => await blogs.delete(tombstone, ifVersion)
  })),
  breaking('the events of a blog come before it is known whether it can be added', 'blogs', (blogs, store) => ({
    add: async (blog, events = []) => {
      await store.events.add(events)
      await blogs.add(blog)
    }
  })),
  breaking('the events of a blog come though nothing was saved', 'blogs', (blogs, store) => ({
    save: async (blog, ifVersion, events = []) => {
      const saved = await blogs.save(blog, ifVersion, events)
      if (!saved) await store.events.add(events)
      return saved
    }
  })),
  breaking('add takes the last that was written down', 'events', (events) => {
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
  breaking('add writes an event down again with a number of its own', 'events', (events) => {
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
  breaking('events are numbered across accounts', 'events', (events) => ({
    add: async (added) => await events.add(added.map((event) => ({ ...event, accountId: 'acme' })))
  })),
  breaking('events are numbered by their time', 'events', (events) => ({
    add: async (added) => await events.add(added.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)))
  })),
  breaking('the bytes of an event are read as JSON and written anew', 'events', (events) => ({
    add: async (added) =>
      await events.add(added.map((event) => ({ ...event, tail: event.tail.replaceAll('\\u2028', '\u2028') }))),
    find: async (accountId, id) => {
      const found = await events.find(accountId, id)
      return found === null ? null : { ...found, tail: JSON.stringify(JSON.parse(`{${found.tail.slice(1)}`)) }
    }
  })),
  breaking('list includes the number that one is to go on after', 'events', (events) => ({
    list: async (accountId, page) => await events.list(accountId, { ...page, after: page.after - 1 })
  })),
  breaking('list looks for types only among so many', 'events', (events) => ({
    list: async (accountId, { types, ...page }) =>
      (await events.list(accountId, page)).filter(({ type }) => types === undefined || types.includes(type))
  })),
  breaking('pendingFanOut tells all', 'events', (events) => ({
    pendingFanOut: async (accountId, limit) => await events.list(accountId, { after: 0, limit })
  })),
  breaking('pendingFanOutAccounts tells an account once for each event', 'events', (events) => ({
    pendingFanOutAccounts: async (limit) =>
      (
        await Promise.all(
          (await events.pendingFanOutAccounts(limit)).map(async (id) => await events.pendingFanOut(id, limit))
        )
      )
        .flat()
        .map(({ accountId }) => accountId)
  })),
  breaking('markFannedOut marks the events of any account', 'events', (events) => ({
    markFannedOut: async (accountId, ids) => {
      for (const id of [accountId, ...(await events.pendingFanOutAccounts(99))]) await events.markFannedOut(id, ids)
    }
  })),
  breaking('addProductEvent marks one product after the other', 'events', (events) => ({
    addProductEvent: async (event, told) => {
      for (const [at, one] of told.entries()) {
        if (!(await events.addProductEvent({ ...event, id: at === 0 ? event.id : `${event.id}-${at}` }, [one])))
          return false
      }
      return true
    }
  })),
  breaking('addProductEvent ignores the versions', 'events', (events, store) => ({
    addProductEvent: async (event, told) =>
      await events.addProductEvent(
        event,
        await Promise.all(
          told.map(async (one) => ({
            ...one,
            ifVersion: (await store.products.find(event.accountId, one.id))?.version ?? 0
          }))
        )
      )
  })),
  breaking('addProductEvent adds the event in any case', 'events', (events) => ({
    addProductEvent: async (event, told) => {
      const done = await events.addProductEvent(event, told)
      if (!done) await events.add([event])
      return done
    }
  })),
  breaking('addProductEvent marks the products though the event is known', 'events', (events) => ({
    addProductEvent: async (event, told) =>
      (await events.find(event.accountId, event.id)) === null
        ? await events.addProductEvent(event, told)
        : (await events.addProductEvent({ ...event, id: `${event.id}-again` }, told)) && false
  })),
  breaking('sweep removes what was not fanned out', 'events', (events) => ({
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
  breaking('sweep removes what happened at that time', 'events', (events) => ({
    deleteBefore: async (before, limit) => await events.deleteBefore(shifted(before, 1), limit)
  })),
  breaking('sweep removes all at once', 'events', (events) => ({
    deleteBefore: async (before) => await events.deleteBefore(before, 1000)
  })),
  breaking('numbers begin anew when the events were swept', 'events', (events) => {
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

const webhookSabotages: Sabotage[] = [
  breaking('add ignores how many webhooks there may be', 'webhooks', (webhooks) => ({
    add: async (webhook) => await webhooks.add(webhook, Infinity)
  })),
  breaking('add counts first and writes later', 'webhooks', (webhooks) => ({
    add: async (webhook, most) => {
      const { length } = await webhooks.list(webhook.accountId)
      await pause()
      return length < most && (await webhooks.add(webhook, Infinity))
    }
  })),
  breaking('save ignores the version', 'webhooks', (webhooks) => ({
    save: async (webhook) =>
      await webhooks.save(webhook, (await webhooks.find(webhook.accountId, webhook.id))?.version ?? 0)
  })),
  breaking('save looks first and writes later', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) => {
      const found = await webhooks.find(webhook.accountId, webhook.id)
      await pause()
      return (
        found?.version === ifVersion &&
        (await webhooks.save(webhook, (await webhooks.find(webhook.accountId, webhook.id))?.version ?? 0))
      )
    }
  })),
  breaking('save adds what is not there', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) =>
      (await webhooks.save(webhook, ifVersion)) || (await webhooks.add(webhook, 50).catch(() => false))
  })),
  breaking('webhooks are listed newest first', 'webhooks', (webhooks) => ({
    list: async (accountId) => (await webhooks.list(accountId)).reverse()
  })),
  breaking('find hands out what was given', 'webhooks', (webhooks) => {
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
  breaking('remove only disables', 'webhooks', (webhooks) => ({
    delete: async (accountId, id) => {
      const found = await webhooks.find(accountId, id)
      return found !== null && (await webhooks.save({ ...found, disabledBy: 'person' }, found.version))
    }
  })),
  { title: 'the deliveries of a removed webhook stay', noun: 'webhooks', wrap: withKept('deliveries') },
  { title: 'the recoveries of a removed webhook stay', noun: 'webhooks', wrap: withKept('recoveries') }
]

/**
 * A store that still knows the deliveries or recoveries that it had of a webhook that is removed.
 */
function withKept(noun: 'deliveries' | 'recoveries'): Sabotage['wrap'] {
  return (store) => {
    const { find } = store[noun]
    const kept = new Map<string, unknown>()
    const remembering = async (accountId: string, id: string) => (await find(accountId, id)) ?? kept.get(id) ?? null
    const wrapped =
      noun === 'deliveries'
        ? {
            add: async (added: Parameters<typeof store.deliveries.add>[0]) => {
              for (const one of added) kept.set(one.id, one)
              await store.deliveries.add(added)
            }
          }
        : {
            add: async (one: Parameters<typeof store.recoveries.add>[0]) => {
              kept.set(one.id, one)
              await store.recoveries.add(one)
            }
          }
    return { ...store, [noun]: { ...store[noun], ...wrapped, find: remembering } }
  }
}

const deliverySabotages: Sabotage[] = [
  breaking('a delivery that is there already takes a number', 'deliveries', (deliveries) => {
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
  breaking("numbers at a webhook follow the events' times", 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.toSorted((a, b) => (a.eventAt < b.eventAt ? -1 : 1)))
  })),
  breaking('skipped deliveries get no number', 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.filter(({ status }) => status !== 'skipped'))
  })),
  breaking('take takes what is not due', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, 60_000) })
  })),
  breaking('take leaves out what is due at this instant', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, -1) })
  })),
  breaking('take leases nothing', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => {
      const taken = await deliveries.claim(id, terms)
      await deliveries.release(
        id,
        taken.map(({ delivery }) => delivery.id)
      )
      return taken
    }
  })),
  breaking('take gives the same to those who ask at once', 'deliveries', (deliveries) => {
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
  breaking('take holds leases for ever', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, leaseUntil: '2099-01-01T00:00:00.000Z' })
  })),
  breaking('take ignores how many are in flight', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, maxInFlight: 1000 })
  })),
  breaking('take ignores how many are wanted', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, limit: 1000 })
  })),
  breaking('take gives the largest number first', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => (await deliveries.claim(id, terms)).reverse()
  })),
  breaking('take forgets the project', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => (await deliveries.claim(id, terms)).map((taken) => ({ ...taken, projectId: 'site' }))
  })),
  breaking('release counts as an attempt', 'deliveries', (deliveries) => ({
    release: async (webhookId, ids) => {
      await deliveries.release(webhookId, ids)
      for (const id of ids) {
        const found = await deliveries.find('acme', id)
        if (found !== null) await deliveries.recordAttempts([{ ...failedOnce(found.delivery), webhookId }])
      }
    }
  })),
  breaking('release releases those of other webhooks', 'deliveries', (deliveries) => ({
    release: async (_webhookId, ids) => {
      for (const id of ids) {
        const found = await deliveries.find('acme', id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
    }
  })),
  breaking('record keeps the lease until it ends', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null || found.delivery.attempts === 0
        ? found
        : { ...found, delivery: { ...found.delivery, leasedUntil: found.delivery.nextAttemptAt } }
    }
  })),
  breaking('record writes down the first change alone', 'deliveries', (deliveries) => ({
    recordAttempts: async (changes) => await deliveries.recordAttempts(changes.slice(0, 1))
  })),
  breaking('record ignores whose the delivery is', 'deliveries', (deliveries) => ({
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
  breaking('record adds an attempt again', 'deliveries', (deliveries) => {
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
  breaking('find tells the last ten attempts', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.slice(-10) }
    }
  })),
  breaking('find tells the newest attempt first', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.toReversed() }
    }
  })),
  breaking('reopen takes what somebody is trying', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      for (const id of ids) {
        const found = await deliveries.find(accountId, id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
      return await deliveries.requeue(accountId, ids, at)
    }
  })),
  breaking('reopen leaves what was delivered', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      const found = await Promise.all(ids.map((id) => deliveries.find(accountId, id)))
      return await deliveries.requeue(
        accountId,
        ids.filter((_, index) => found[index]?.delivery.status !== 'delivered'),
        at
      )
    }
  })),
  breaking('reopen counts what it was given', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      await deliveries.requeue(accountId, ids, at)
      return ids.length
    }
  })),
  breaking('list tells the number on the page as the total', 'deliveries', (deliveries) => ({
    list: async (filter, page) => {
      const { deliveries: found } = await deliveries.list(filter, page)
      return { deliveries: found, totalCount: found.length }
    }
  })),
  breaking('list tells the oldest first', 'deliveries', (deliveries) => ({
    list: async (filter, page) => {
      const { deliveries: found, totalCount } = await deliveries.list(filter, page)
      return { deliveries: found.toReversed(), totalCount }
    }
  })),
  ...(['status', 'event', 'since'] as const).map((name) =>
    breaking(`list ignores ${name}`, 'deliveries', (deliveries) => ({
      list: async ({ [name]: _, ...filter }, page) => await deliveries.list(filter, page)
    }))
  ),
  breaking('between includes the last instant', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, until: shifted(span.until, 1) })
  })),
  breaking('between leaves out the first instant', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, since: shifted(span.since, 1) })
  })),
  breaking('between leaves out what was delivered', 'deliveries', (deliveries) => ({
    between: async (id, span) => (await deliveries.between(id, span)).filter(({ status }) => status !== 'delivered')
  })),
  breaking('between begins anew on every page', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, afterSequence: 0 })
  })),
  breaking('dueWebhooks tells a webhook once for each delivery', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) =>
      (await deliveries.dueWebhooks(now, limit)).flatMap((webhook) => [webhook, webhook])
  })),
  breaking('dueWebhooks tells of disabled ones', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, limit) => {
      const disabled = (await store.webhooks.list('acme')).filter(({ disabledBy }) => disabledBy !== null)
      return [
        ...(await deliveries.dueWebhooks(now, limit)),
        ...disabled.map(({ id }) => ({ accountId: 'acme', webhookId: id }))
      ]
    }
  })),
  breaking('dueWebhooks tells of paused ones', 'deliveries', (deliveries, store) => ({
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
  breaking('dueWebhooks leaves out what was ever paused', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, limit) => {
      const paused = new Set(
        (await store.webhooks.list('acme')).filter(({ health }) => health.pausedUntil !== null).map(({ id }) => id)
      )
      return (await deliveries.dueWebhooks(now, limit)).filter(({ webhookId }) => !paused.has(webhookId))
    }
  })),
  breaking('dueWebhooks tells the latest due first', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) => (await deliveries.dueWebhooks(now, limit)).toReversed()
  })),
  breaking('dueWebhooks tells what will be due', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, limit) => await deliveries.dueWebhooks(shifted(now, 60_000), limit)
  })),
  breaking('nextDueAt looks past the first', 'deliveries', (deliveries, store) => ({
    nextDueAt: async (webhookId) => {
      const { deliveries: pending } = await deliveries.list(
        { accountId: 'acme', webhookId, status: 'pending' },
        { page: 1, pageSize: 1 }
      )
      return pending[0]?.nextAttemptAt ?? null
    }
  })),
  breaking('nextDueAt ignores leases', 'deliveries', (deliveries) => ({
    nextDueAt: async (webhookId) => {
      const { deliveries: pending } = await deliveries.list(
        { accountId: 'acme', webhookId, status: 'pending' },
        { page: 1, pageSize: 100 }
      )
      return pending.map(({ nextAttemptAt }) => nextAttemptAt).toSorted()[0] ?? null
    }
  })),
  { title: 'leases end with the process', noun: 'deliveries', wrap: forgetfulOfLeases() }
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
function forgetfulOfLeases(): Sabotage['wrap'] {
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

const recoverySabotages: Sabotage[] = [
  breaking('advance ignores where the recovery stands', 'recoveries', (recoveries) => ({
    advance: async ({ accountId, id }, step) =>
      await recoveries.advance(
        { accountId, id, afterSequence: (await recoveries.find(accountId, id))?.afterSequence ?? 0 },
        step
      )
  })),
  breaking('advance goes on though the recovery is done', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) =>
      (await recoveries.advance(recovery, step)) ||
      (await recoveries.find(recovery.accountId, recovery.id))?.status === 'done'
  })),
  breaking('advance reopens in any case', 'recoveries', (recoveries, store) => ({
    advance: async (recovery, step) => {
      await store.deliveries.requeue(recovery.accountId, step.requeue, step.at)
      return await recoveries.advance(recovery, step)
    }
  })),
  breaking('advance reopens nothing', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, requeue: [] })
  })),
  breaking('advance reopens at once', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, at: '2030-01-01T00:00:00.000Z' })
  })),
  breaking('advance writes nothing down', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, change: {} })
  })),
  breaking('unfinished tells of what is done', 'recoveries', (recoveries) => {
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
    noun: 'recoveries',
    wrap: (store) => ({ ...store, events: { ...store.events, deleteBefore: async () => 0 } })
  }
]

/** Stores that each break one promise about events, webhooks, deliveries or recoveries. */
export const WEBHOOK_SABOTAGES: readonly Sabotage[] = [
  ...eventSabotages,
  ...webhookSabotages,
  ...deliverySabotages,
  ...recoverySabotages
]
