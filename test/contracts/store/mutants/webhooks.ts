import type { DeliveryRecord, NewEvent } from '../../../../ports/store/port.ts'
import { mutant, pause, type Mutant } from './mutant.ts'

/** One page of everything. */
const EVERY = { after: null, limit: 1000 }
/** A little earlier, or later. */
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

const eventMutants: Mutant[] = [
  mutant('adding a blog loses its events', 'blogs', (blogs) => ({
    add: async (blog) => await blogs.add(blog)
  })),
  mutant('saving a blog loses its events', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) => await blogs.save(blog, ifVersion)
  })),
  mutant('deleting a blog loses its events', 'blogs', (blogs) => ({
    delete: async (tombstone, ifVersion) => await blogs.delete(tombstone, ifVersion)
  })),
  mutant('a rejected new blog adds its events', 'blogs', (blogs, store) => ({
    add: async (blog, events = []) => {
      await store.events.add(events)
      await blogs.add(blog)
    }
  })),
  mutant('a rejected save adds its events', 'blogs', (blogs, store) => ({
    save: async (blog, ifVersion, events = []) => {
      const saved = await blogs.save(blog, ifVersion, events)
      if (!saved) await store.events.add(events)
      return saved
    }
  })),
  mutant('find returns the latest copy of an event', 'events', (events) => {
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
  mutant('add stores a repeated event with a new sequence', 'events', (events) => {
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
  mutant('sequences of events are shared by accounts', 'events', (events) => ({
    add: async (added) => await events.add(added.map((event) => ({ ...event, accountId: 'acme' })))
  })),
  mutant('events are numbered by their time', 'events', (events) => ({
    add: async (added) => await events.add(added.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)))
  })),
  mutant('the bytes of an event are parsed and serialized again', 'events', (events) => ({
    add: async (added) =>
      await events.add(added.map((event) => ({ ...event, tail: event.tail.replaceAll('\\u2028', '\u2028') }))),
    find: async (accountId, id) => {
      const found = await events.find(accountId, id)
      return found === null ? null : { ...found, tail: JSON.stringify(JSON.parse(`{${found.tail.slice(1)}`)) }
    }
  })),
  mutant('list includes the event of the `after` sequence', 'events', (events) => ({
    list: async (accountId, page) => await events.list(accountId, { ...page, after: page.after - 1 })
  })),
  mutant('list applies the limit before the types', 'events', (events) => ({
    list: async (accountId, { types, ...page }) =>
      (await events.list(accountId, page)).filter(({ type }) => types === undefined || types.includes(type))
  })),
  mutant('pendingFanOut lists all events', 'events', (events) => ({
    pendingFanOut: async (accountId, limit) =>
      (await events.list(accountId, { after: 0, limit })).map(({ head, tail, fannedOut, ...event }) => event)
  })),
  mutant('pendingFanOutAccounts lists an account once for each event', 'events', (events) => ({
    pendingFanOutAccounts: async (page) => {
      const { items, next } = await events.pendingFanOutAccounts(page)
      const all = await Promise.all(items.map(async (id) => await events.pendingFanOut(id, 1000)))
      return { items: all.flat().map(({ accountId }) => accountId), next }
    }
  })),
  mutant('pendingFanOutAccounts ignores the page key', 'events', (events) => ({
    pendingFanOutAccounts: async (page) => await events.pendingFanOutAccounts({ ...page, after: null })
  })),
  mutant('markFannedOut ignores the account', 'events', (events) => ({
    markFannedOut: async (accountId, ids) => {
      const { items } = await events.pendingFanOutAccounts(EVERY)
      for (const id of [accountId, ...items]) await events.markFannedOut(id, ids)
    }
  })),
  mutant('addProductEvents is not atomic', 'events', (events) => ({
    addProductEvents: async (added) =>
      await Promise.all(
        added.map(async ({ event, products }) => {
          for (const [at, one] of products.entries()) {
            const id = at === 0 ? event.id : `${event.id}-${at}`
            const [isAdded] = await events.addProductEvents([{ event: { ...event, id }, products: [one] }])
            if (isAdded !== true) return false
          }
          return true
        })
      )
  })),
  mutant('addProductEvents adds all events or none', 'events', (events, store) => ({
    addProductEvents: async (added) => {
      for (const { event, products } of added) {
        if ((await events.find(event.accountId, event.id)) !== null) return added.map(() => false)
        for (const { id, ifVersion } of products) {
          if ((await store.products.find(event.accountId, id))?.version !== ifVersion) return added.map(() => false)
        }
      }
      return await events.addProductEvents(added)
    }
  })),
  mutant('addProductEvents ignores the versions', 'events', (events, store) => ({
    addProductEvents: async (added) =>
      await events.addProductEvents(
        await Promise.all(
          added.map(async ({ event, products }) => ({
            event,
            products: await Promise.all(
              products.map(async (one) => ({
                ...one,
                ifVersion: (await store.products.find(event.accountId, one.id))?.version ?? 0
              }))
            )
          }))
        )
      )
  })),
  mutant('addProductEvents always adds the event', 'events', (events) => ({
    addProductEvents: async (added) => {
      const done = await events.addProductEvents(added)
      for (const [at, { event }] of added.entries()) if (done[at] === false) await events.add([event])
      return done
    }
  })),
  mutant('addProductEvents marks the products of an existing event', 'events', (events) => ({
    addProductEvents: async (added) => {
      const known = await Promise.all(
        added.map(async ({ event: { accountId, id } }) => (await events.find(accountId, id)) !== null)
      )
      const done = await events.addProductEvents(
        added.map(({ event, products }, at) => ({
          event: known[at] === true ? { ...event, id: `${event.id}-again` } : event,
          products
        }))
      )
      return done.map((isAdded, at) => isAdded && known[at] === false)
    }
  })),
  mutant('sweep deletes events that were not fanned out', 'events', (events) => ({
    deleteBefore: async (before, limit) => {
      for (const accountId of (await events.pendingFanOutAccounts(EVERY)).items) {
        await events.markFannedOut(
          accountId,
          (await events.pendingFanOut(accountId, 99)).map(({ id }) => id)
        )
      }
      return await events.deleteBefore(before, limit)
    }
  })),
  mutant('sweep includes its end', 'events', (events) => ({
    deleteBefore: async (before, limit) => await events.deleteBefore(shifted(before, 1), limit)
  })),
  mutant('sweep ignores the limit', 'events', (events) => ({
    deleteBefore: async (before) => await events.deleteBefore(before, 1000)
  })),
  mutant('trim deletes nothing', 'events', (events) => ({
    trim: async (accountId, trim) => await events.trim(accountId, { ...trim, limit: 0 })
  })),
  mutant('trim counts characters', 'events', (events) => ({
    trim: async (accountId, trim) => {
      const all = await events.list(accountId, { after: 0, limit: 1000 })
      const [bytes, characters] = [Buffer.byteLength, (text: string) => text.length].map((lengthOf) =>
        all.reduce((sum, { head, tail }) => sum + lengthOf(head) + lengthOf(tail), 0)
      ) as [number, number]
      const maxBytes = characters === 0 ? trim.maxBytes : Math.floor((trim.maxBytes * bytes) / characters)
      return await events.trim(accountId, { ...trim, maxBytes })
    }
  })),
  mutant('trim deletes one event too few', 'events', (events) => ({
    trim: async (accountId, trim) => await events.trim(accountId, { ...trim, upTo: trim.upTo - 1 })
  })),
  mutant('trim ignores the last sequence', 'events', (events) => ({
    trim: async (accountId, trim) => await events.trim(accountId, { ...trim, upTo: 1000 })
  })),
  mutant('trim ignores the limit', 'events', (events) => ({
    trim: async (accountId, trim) => await events.trim(accountId, { ...trim, limit: 1000 })
  })),
  mutant('trim deletes events that were not fanned out', 'events', (events) => ({
    trim: async (accountId, trim) => {
      const pending = await events.pendingFanOut(accountId, 99)
      await events.markFannedOut(
        accountId,
        pending.map(({ id }) => id)
      )
      return await events.trim(accountId, trim)
    }
  })),
  mutant('trim deletes events of other accounts', 'events', (events) => ({
    trim: async (accountId, trim) => {
      await events.trim('zeta', trim)
      return await events.trim(accountId, trim)
    }
  })),
  mutant('sequences restart after a sweep', 'events', (events) => {
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
  mutant('add ignores the limit of webhooks', 'webhooks', (webhooks) => ({
    add: async (webhook) => await webhooks.add(webhook, Infinity)
  })),
  mutant('add counts and writes in separate steps', 'webhooks', (webhooks) => ({
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
  mutant('save reads and writes in separate steps', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) => {
      const found = await webhooks.find(webhook.accountId, webhook.id)
      await pause()
      return (
        found?.version === ifVersion &&
        (await webhooks.save(webhook, (await webhooks.find(webhook.accountId, webhook.id))?.version ?? 0))
      )
    }
  })),
  mutant('save adds a missing webhook', 'webhooks', (webhooks) => ({
    save: async (webhook, ifVersion) =>
      (await webhooks.save(webhook, ifVersion)) || (await webhooks.add(webhook, 50).catch(() => false))
  })),
  mutant('webhooks are listed newest first', 'webhooks', (webhooks) => ({
    list: async (accountId) => (await webhooks.list(accountId)).reverse()
  })),
  mutant('find returns the stored object itself', 'webhooks', (webhooks) => {
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
  mutant('delete only disables the webhook', 'webhooks', (webhooks) => ({
    delete: async (accountId, id) => {
      const found = await webhooks.find(accountId, id)
      return found !== null && (await webhooks.save({ ...found, disabledBy: 'person' }, found.version))
    }
  })),
  { title: 'the deliveries of a deleted webhook remain', collection: 'webhooks', wrap: keepAfterRemoval('deliveries') },
  { title: 'the recoveries of a deleted webhook remain', collection: 'webhooks', wrap: keepAfterRemoval('recoveries') }
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
  mutant('a repeated delivery uses a sequence', 'deliveries', (deliveries) => {
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
  mutant('sequences of a webhook follow the times of events', 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.toSorted((a, b) => (a.eventAt < b.eventAt ? -1 : 1)))
  })),
  mutant('skipped deliveries have no sequence', 'deliveries', (deliveries) => ({
    add: async (added) => await deliveries.add(added.filter(({ status }) => status !== 'skipped'))
  })),
  mutant('claim includes deliveries that are not due', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, 60_000) })
  })),
  mutant('claim excludes deliveries that are due now', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, now: shifted(terms.now, -1) })
  })),
  mutant('claim sets no lease', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => {
      const taken = await deliveries.claim(id, terms)
      await deliveries.release(
        id,
        taken.map(({ delivery }) => delivery.id)
      )
      return taken
    }
  })),
  mutant('concurrent claims return the same delivery', 'deliveries', (deliveries) => {
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
  mutant('leases of deliveries never end', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, leaseUntil: '2099-01-01T00:00:00.000Z' })
  })),
  mutant('claim ignores maxInFlight', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, maxInFlight: 1000 })
  })),
  mutant('claim ignores the limit', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => await deliveries.claim(id, { ...terms, limit: 1000 })
  })),
  mutant('claim ignores maxBytes', 'deliveries', (deliveries) => ({
    claim: async (id, { maxBytes: _, ...terms }) => await deliveries.claim(id, terms)
  })),
  mutant('claim returns the latest sequence first', 'deliveries', (deliveries) => ({
    claim: async (id, terms) => (await deliveries.claim(id, terms)).reverse()
  })),
  mutant('claim omits the project', 'deliveries', (deliveries) => ({
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
  mutant('release ignores the webhook', 'deliveries', (deliveries) => ({
    release: async (_webhookId, ids) => {
      for (const id of ids) {
        const found = await deliveries.find('acme', id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
    }
  })),
  mutant('recordAttempts does not end the lease', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null || found.delivery.attempts === 0
        ? found
        : { ...found, delivery: { ...found.delivery, leasedUntil: found.delivery.nextAttemptAt } }
    }
  })),
  mutant('recordAttempts only stores the first change', 'deliveries', (deliveries) => ({
    recordAttempts: async (changes) => await deliveries.recordAttempts(changes.slice(0, 1))
  })),
  mutant('recordAttempts ignores the webhook', 'deliveries', (deliveries) => ({
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
  mutant('recordAttempts stores a repeated attempt again', 'deliveries', (deliveries) => {
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
  mutant('find returns only ten attempts', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.slice(-10) }
    }
  })),
  mutant('find returns the latest attempt first', 'deliveries', (deliveries) => ({
    find: async (accountId, id) => {
      const found = await deliveries.find(accountId, id)
      return found === null ? null : { ...found, attemptLog: found.attemptLog.toReversed() }
    }
  })),
  mutant('requeue includes deliveries in flight', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      for (const id of ids) {
        const found = await deliveries.find(accountId, id)
        if (found !== null) await deliveries.release(found.delivery.webhookId, [id])
      }
      return await deliveries.requeue(accountId, ids, at)
    }
  })),
  mutant('requeue omits delivered deliveries', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      const found = await Promise.all(ids.map((id) => deliveries.find(accountId, id)))
      return await deliveries.requeue(
        accountId,
        ids.filter((_, index) => found[index]?.delivery.status !== 'delivered'),
        at
      )
    }
  })),
  mutant('requeue returns the number of its arguments', 'deliveries', (deliveries) => ({
    requeue: async (accountId, ids, at) => {
      await deliveries.requeue(accountId, ids, at)
      return ids.length
    }
  })),
  mutant('list returns the page size as the total', 'deliveries', (deliveries) => ({
    list: async (filter, page) => {
      const { deliveries: found } = await deliveries.list(filter, page)
      return { deliveries: found, totalCount: found.length }
    }
  })),
  mutant('list returns the oldest first', 'deliveries', (deliveries) => ({
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
  mutant('between includes its end', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, until: shifted(span.until, 1) })
  })),
  mutant('between excludes its start', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, since: shifted(span.since, 1) })
  })),
  mutant('between omits delivered deliveries', 'deliveries', (deliveries) => ({
    between: async (id, span) => (await deliveries.between(id, span)).filter(({ status }) => status !== 'delivered')
  })),
  mutant('between ignores the page key', 'deliveries', (deliveries) => ({
    between: async (id, span) => await deliveries.between(id, { ...span, afterSequence: 0 })
  })),
  mutant('a first claim is like any other', 'deliveries', (deliveries) => ({
    claim: async (webhookId, { isFirst: _, ...options }) => await deliveries.claim(webhookId, options)
  })),
  mutant('dueWebhooks lists a webhook once for each delivery', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, page) => {
      const { items, next } = await deliveries.dueWebhooks(now, page)
      return { items: items.flatMap((webhook) => [webhook, webhook]), next }
    }
  })),
  mutant('dueWebhooks includes disabled webhooks', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, page) => {
      const { items, next } = await deliveries.dueWebhooks(now, page)
      const disabled = (await store.webhooks.list('acme')).filter(({ disabledBy }) => disabledBy !== null)
      return { items: [...items, ...disabled.map(({ id }) => ({ accountId: 'acme', webhookId: id }))], next }
    }
  })),
  mutant('dueWebhooks includes paused webhooks', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, page) => {
      const { items, next } = await deliveries.dueWebhooks(now, page)
      const paused = (await store.webhooks.list('acme')).filter(
        ({ health }) => health.pausedUntil !== null && health.pausedUntil > now
      )
      return { items: [...paused.map(({ id }) => ({ accountId: 'acme', webhookId: id })), ...items], next }
    }
  })),
  mutant('dueWebhooks omits webhooks with an expired pause', 'deliveries', (deliveries, store) => ({
    dueWebhooks: async (now, page) => {
      const { items, next } = await deliveries.dueWebhooks(now, page)
      const paused = new Set(
        (await store.webhooks.list('acme')).filter(({ health }) => health.pausedUntil !== null).map(({ id }) => id)
      )
      return { items: items.filter(({ webhookId }) => !paused.has(webhookId)), next }
    }
  })),
  mutant('dueWebhooks ends at a page without due webhooks', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, page) => {
      const { items, next } = await deliveries.dueWebhooks(now, page)
      return { items, next: items.length === 0 ? null : next }
    }
  })),
  mutant('dueWebhooks includes deliveries that are not due yet', 'deliveries', (deliveries) => ({
    dueWebhooks: async (now, page) => await deliveries.dueWebhooks(shifted(now, 60_000), page)
  })),
  mutant('nextDueAt skips the first delivery', 'deliveries', (deliveries, store) => ({
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
  mutant('advance ignores the current position', 'recoveries', (recoveries) => ({
    advance: async ({ accountId, id }, step) =>
      await recoveries.advance(
        { accountId, id, afterSequence: (await recoveries.find(accountId, id))?.afterSequence ?? 0 },
        step
      )
  })),
  mutant('advance continues a finished recovery', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) =>
      (await recoveries.advance(recovery, step)) ||
      (await recoveries.find(recovery.accountId, recovery.id))?.status === 'done'
  })),
  mutant('advance always requeues deliveries', 'recoveries', (recoveries, store) => ({
    advance: async (recovery, step) => {
      await store.deliveries.requeue(recovery.accountId, step.requeue, step.at)
      return await recoveries.advance(recovery, step)
    }
  })),
  mutant('advance requeues nothing', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, requeue: [] })
  })),
  mutant('advance requeues deliveries at the wrong time', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, at: '2030-01-01T00:00:00.000Z' })
  })),
  mutant('advance does not store its progress', 'recoveries', (recoveries) => ({
    advance: async (recovery, step) => await recoveries.advance(recovery, { ...step, change: {} })
  })),
  mutant('unfinished includes finished recoveries', 'recoveries', (recoveries) => {
    const all: { accountId: string; id: string }[] = []
    return {
      add: async (recovery) => {
        all.push({ accountId: recovery.accountId, id: recovery.id })
        await recoveries.add(recovery)
      },
      unfinished: async () => ({ items: all, next: null })
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
