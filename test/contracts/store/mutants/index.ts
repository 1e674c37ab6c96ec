import type { ApiKeyRecord, BlogRecord, FormerSlug } from '../../../../ports/store/port.ts'
import { VISUAL_CHECK_MUTANTS } from './visual-checks.ts'
import { PRODUCT_MUTANTS } from './products.ts'
import { mutant, pause, type Mutant } from './mutant.ts'
import { TRANSFER_MUTANTS } from './transfer.ts'
import { WEBHOOK_MUTANTS } from './webhooks.ts'
export type { Mutant } from './mutant.ts'

const accountMutants: Mutant[] = [
  mutant('ensure overwrites the account', 'accounts', (accounts) => ({
    insertIfAbsent: async (account) => {
      await accounts.insertIfAbsent(account)
      return (await accounts.update(account.id, account)) ?? account
    }
  })),
  mutant('ensure answers with what it was given', 'accounts', (accounts) => ({
    insertIfAbsent: async (account) => {
      await accounts.insertIfAbsent(account)
      return structuredClone(account)
    }
  })),
  mutant('a change of an account overwrites the changes that came between', 'accounts', (accounts) => ({
    update: async (id, change) => {
      const before = await accounts.find(id)
      await pause()
      return before === null ? null : await accounts.update(id, { ...before, ...change })
    }
  })),
  mutant('accounts are listed by UTF-16 units', 'accounts', (accounts) => ({
    list: async (page) => (await accounts.list(page)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  })),
  mutant('find hands out one object to all', 'accounts', (accounts) => {
    const seen = new Map<string, Awaited<ReturnType<typeof accounts.find>>>()
    return {
      update: async (id, change) => {
        seen.set(id, await accounts.update(id, change))
        return seen.get(id) ?? null
      },
      find: async (id) => seen.get(id) ?? (await accounts.find(id))
    }
  }),
  mutant('ensure says added every time', 'projects', (projects) => ({
    insertIfAbsent: async (project) => ({ ...(await projects.insertIfAbsent(project)), added: true })
  })),
  mutant('remove says true for what is not there', 'projects', (projects) => ({
    delete: async (accountId, id) => {
      await projects.delete(accountId, id)
      return true
    }
  }))
]

const keyMutants: Mutant[] = [
  mutant('add ignores how many keys may be active', 'apiKeys', (keys) => ({
    add: async (key) => await keys.add(key, Infinity)
  })),
  mutant('add counts first and writes later', 'apiKeys', (keys) => ({
    add: async (key, maxActive) => {
      const active = (await keys.list(key.accountId)).filter(
        (each) => !each.disabled && (each.expiresAt === null || each.expiresAt > key.createdAt)
      ).length
      await pause()
      return active + Number(!key.disabled) <= maxActive && (await keys.add(key, Infinity))
    }
  })),
  mutant('add counts disabled and expired keys', 'apiKeys', (keys) => ({
    add: async (key, maxActive) =>
      (await keys.list(key.accountId)).length < maxActive && (await keys.add(key, maxActive))
  })),
  mutant('rotate ignores the generation', 'apiKeys', (keys) => ({
    rotate: async ({ accountId, id }, value) =>
      await keys.rotate({ accountId, id, generation: (await keys.find(accountId, id))?.generation ?? 0 }, value)
  })),
  mutant('findByHash remembers what it found', 'apiKeys', (keys) => {
    const seen = new Map<string, ApiKeyRecord>()
    return {
      add: async (key, maxActive) => {
        const added = await keys.add(key, maxActive)
        if (added) seen.set(key.hash, structuredClone(key))
        return added
      },
      findByHash: async (hash) => structuredClone(seen.get(hash)) ?? (await keys.findByHash(hash))
    }
  }),
  mutant('update ignores how many keys may be active', 'apiKeys', (keys) => ({
    update: async (id, change) => await keys.update(id, change, Infinity)
  })),
  mutant('recordUses moves the last use back', 'apiKeys', (keys) => {
    const last = new Map<string, string>()
    const withoutUse = (key: ApiKeyRecord | null) =>
      key === null ? null : { ...key, lastUsedAt: last.get(key.id) ?? key.lastUsedAt }
    return {
      recordUses: async (uses) => {
        for (const { id, at } of uses) last.set(id, at)
      },
      find: async (accountId, id) => withoutUse(await keys.find(accountId, id)),
      findByHash: async (hash) => withoutUse(await keys.findByHash(hash))
    }
  }),
  mutant('keys are listed newest first', 'apiKeys', (keys) => ({
    list: async (accountId) => (await keys.list(accountId)).reverse()
  }))
]

const blogMutants: Mutant[] = [
  mutant('add lets two blogs have one slug', 'blogs', (blogs) => ({
    add: async (blog) =>
      await blogs.add(
        (await blogs.findIdBySlug(blog.accountId, blog.slug)) !== null ? { ...blog, slug: `${blog.slug}-2` } : blog
      )
  })),
  mutant('save ignores the version', 'blogs', (blogs) => ({
    save: async (blog) => await blogs.save(blog, (await blogs.findMetadata(blog.accountId, blog.id))?.version ?? 0)
  })),
  mutant('save forgets the related entries', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) => {
      const saved = await blogs.save(blog, ifVersion)
      if (saved) await blogs.setRelated(blog.accountId, [{ id: blog.id, related: [] }])
      return saved
    }
  })),
  mutant('save keeps the old tags', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) =>
      await blogs.save(
        { ...blog, tags: [...blog.tags, ...((await blogs.findMetadata(blog.accountId, blog.id))?.tags ?? [])] },
        ifVersion
      )
  })),
  mutant('bury ignores the version', 'blogs', (blogs) => ({
    delete: async (tombstone) =>
      await blogs.delete(tombstone, (await blogs.findMetadata(tombstone.accountId, tombstone.id))?.version ?? 0)
  })),
  mutant('bury leaves the images', 'blogs', (blogs, store) => ({
    delete: async (tombstone, ifVersion) => {
      const images = await store.images.list(tombstone.accountId, tombstone.id)
      const deleted = await blogs.delete(tombstone, ifVersion)
      for (const image of images) await store.images.insertIfAbsent(image)
      return deleted
    }
  })),
  mutant('list tells the number on the page as the total', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found } = await blogs.list(filter, page)
      return { blogs: found, totalCount: found.length }
    }
  })),
  mutant('list sorts blogs of one instant by id ascending', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      return { blogs: found.toSorted((a, b) => (a.publishedAt === b.publishedAt && a.id < b.id ? -1 : 0)), totalCount }
    }
  })),
  mutant('list forgets what the reader is confined to', 'blogs', (blogs) => ({
    list: async (filter, page) => await blogs.list({ ...filter, projectIds: null }, page)
  })),
  mutant('list always carries the bodies', 'blogs', (blogs) => ({
    list: async (filter, page) => await blogs.list(filter, { ...page, withBody: true })
  })),
  mutant('list takes publishedAfter as inclusive', 'blogs', (blogs) => ({
    list: async (filter, page) =>
      await blogs.list(
        {
          ...filter,
          ...(filter.publishedAfter === undefined
            ? {}
            : { publishedAfter: new Date(Date.parse(filter.publishedAfter) - 1).toISOString() })
        },
        page
      )
  })),
  mutant('search takes one word of several as enough', 'blogs', (blogs) => ({
    list: async (filter, page) =>
      await blogs.list({ ...filter, ...(filter.terms === undefined ? {} : { terms: filter.terms.slice(-1) }) }, page)
  })),
  mutant('search wants the last word whole', 'blogs', (blogs) => ({
    list: async (filter, page) =>
      await blogs.list({ ...filter, ...(filter.terms === undefined ? {} : { terms: [...filter.terms, ''] }) }, page)
  })),
  mutant('search sorts by date alone', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      return { blogs: found.toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')), totalCount }
    }
  })),
  mutant('search folds what is folded already', 'blogs', (blogs) => {
    const folded = (words: string[]) => words.map((word) => word.normalize('NFD').replace(/\p{M}/gu, ''))
    const writing = (blog: BlogRecord) => ({
      ...blog,
      body: { ...blog.body, titleTerms: folded(blog.body.titleTerms), textTerms: folded(blog.body.textTerms) }
    })
    return {
      add: async (blog) => await blogs.add(writing(blog)),
      list: async (filter, page) =>
        await blogs.list({ ...filter, ...(filter.terms === undefined ? {} : { terms: folded(filter.terms) }) }, page)
    }
  }),
  mutant('resolveSlug lets a draft win', 'blogs', (blogs) => ({
    resolveSlug: async (reader, slug) => {
      const { blogs: drafts } = await blogs.list(
        { ...reader, status: 'draft' },
        { page: 1, pageSize: 100, withBody: true }
      )
      const draft = drafts.find((blog) => blog.slug === slug)
      return draft === undefined ? await blogs.resolveSlug(reader, slug) : { kind: 'blog', blog: draft as BlogRecord }
    }
  })),
  mutant('resolveSlug lets the first one that moved away decide', 'blogs', (blogs) => ({
    resolveSlug: async (reader, slug) => {
      const answer = await blogs.resolveSlug(reader, slug)
      const leftAt = (formerSlugs: FormerSlug[]) => formerSlugs.find((former) => former.slug === slug)?.leftAt ?? ''
      const { blogs: heads } = await blogs.list(
        { ...reader, status: 'published' },
        { page: 1, pageSize: 100, withBody: false }
      )
      const [first] = heads
        .filter(({ formerSlugs }) => leftAt(formerSlugs) !== '')
        .sort((a, b) => (leftAt(a.formerSlugs) < leftAt(b.formerSlugs) ? -1 : 1))
      return answer?.kind === 'moved' && first !== undefined ? { kind: 'moved', blog: first } : answer
    }
  })),
  mutant('resolveSlug forgets what the reader is confined to', 'blogs', (blogs) => ({
    resolveSlug: async (reader, slug) => await blogs.resolveSlug({ ...reader, projectIds: null }, slug)
  })),
  mutant('resolveSlug tells of deleted blogs that never were public', 'blogs', (blogs) => ({
    delete: async (tombstone, ifVersion) => await blogs.delete({ ...tombstone, wasPublic: true }, ifVersion)
  })),
  mutant('redirects lists slugs that another blog has by now', 'blogs', (blogs) => ({
    redirects: async (reader) => {
      const { blogs: heads } = await blogs.list(
        { ...reader, status: 'published' },
        { page: 1, pageSize: 100, withBody: false }
      )
      return heads
        .flatMap(({ slug, formerSlugs }) => formerSlugs.map((former) => ({ from: former.slug, to: slug })))
        .sort((a, b) => (a.from < b.from ? -1 : 1))
    }
  })),
  mutant('categories counts drafts', 'blogs', (blogs) => ({
    countByCategory: async (reader) => {
      const counts = await blogs.countByCategory(reader)
      const { blogs: drafts } = await blogs.list(
        { ...reader, status: 'draft' },
        { page: 1, pageSize: 100, withBody: false }
      )
      return counts.map(({ category, count }) => ({
        category,
        count: count + drafts.filter((draft) => draft.category === category).length
      }))
    }
  })),
  mutant('removedSince forgets unpublished blogs', 'blogs', (blogs) => ({
    removedSince: async (reader, since) => {
      const removed = await blogs.removedSince(reader, since)
      const graves = await Promise.all(removed.map(({ id }) => blogs.findTombstone(reader.accountId, id)))
      return removed.filter((_, at) => graves[at] !== null)
    }
  })),
  mutant('removedSince leaves out the instant itself', 'blogs', (blogs) => ({
    removedSince: async (reader, since) => (await blogs.removedSince(reader, since)).filter(({ at }) => at !== since)
  })),
  mutant('due tells the latest first', 'blogs', (blogs) => ({
    dueToPublish: async (now, limit) => (await blogs.dueToPublish(now, limit)).reverse()
  })),
  mutant('renderedByOtherRules begins anew on every page', 'blogs', (blogs) => ({
    renderedByOtherRules: async (rules, page) => await blogs.renderedByOtherRules(rules, { ...page, afterId: null })
  })),
  mutant('setRelated makes a new version', 'blogs', (blogs) => ({
    setRelated: async (accountId, lists) => {
      await blogs.setRelated(accountId, lists)
      for (const { id } of lists) {
        const blog = await blogs.find(accountId, id)
        if (blog !== null) await blogs.save({ ...blog, version: blog.version + 1 }, blog.version)
      }
    }
  })),
  mutant('clearPendingRelated forgets a blog that was written again', 'blogs', (blogs) => ({
    clearPendingRelated: async (accountId, marks) => {
      await blogs.clearPendingRelated(accountId, [...marks, ...(await blogs.pendingRelated(accountId, 99))])
    }
  })),
  mutant('relatedMarks leaves out deletions', 'blogs', (blogs) => ({
    pendingRelated: async (accountId, limit) => {
      const marks = await blogs.pendingRelated(accountId, limit)
      const graves = await Promise.all(marks.map(({ id }) => blogs.findTombstone(accountId, id)))
      return marks.filter((_, at) => graves[at] === null)
    }
  })),
  mutant('findPublished tells what the reader may not see', 'blogs', (blogs) => ({
    findPublished: async (reader, ids) => await blogs.findPublished({ ...reader, projectIds: null }, ids)
  })),
  mutant('existsInProject sees published blogs alone', 'blogs', (blogs) => ({
    existsInProject: async (accountId, projectId) =>
      (
        await blogs.list(
          { accountId, projectIds: null, projectId, status: 'published' },
          { page: 1, pageSize: 1, withBody: false }
        )
      ).totalCount > 0
  }))
]

const otherMutants: Mutant[] = [
  mutant('ensure replaces the image', 'images', (images) => ({
    insertIfAbsent: async (image) => {
      await images.delete(image.accountId, image.blogId, image.filename)
      return await images.insertIfAbsent(image)
    }
  })),
  mutant('images are listed by file name', 'images', (images) => ({
    list: async (accountId, blogId) =>
      (await images.list(accountId, blogId)).sort((a, b) => (a.filename < b.filename ? -1 : 1))
  })),
  mutant('claim always claims', 'idempotency', () => ({ claim: async () => ({ state: 'claimed' }) })),
  mutant('claim looks first and writes later', 'idempotency', (idempotency) => {
    const claimed = new Set<string>()
    return {
      claim: async (claim) => {
        const free = !claimed.has(claim.scope)
        await pause()
        claimed.add(claim.scope)
        if (free) await idempotency.release(claim.scope)
        return await idempotency.claim(claim)
      }
    }
  }),
  mutant('claim forgets to compare the bodies', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, bodyHash: 'same' })
  })),
  mutant('claim never takes over', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, staleBefore: '' })
  })),
  mutant('claim holds on to what has expired', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, expiresAt: '9' })
  })),
  mutant('sweep counts nothing', 'idempotency', (idempotency) => ({
    deleteExpired: async (now) => {
      await idempotency.deleteExpired(now)
      return 0
    }
  })),
  mutant("a lease is everybody's", 'leases', (leases) => ({
    acquire: async (lease) => {
      await leases.acquire(lease)
      return true
    }
  })),
  mutant('a lease cannot be made longer', 'leases', (leases) => {
    const holders = new Map<string, string>()
    return {
      acquire: async (lease) => {
        if (holders.get(lease.name) === lease.holder) return true
        const taken = await leases.acquire(lease)
        if (taken) holders.set(lease.name, lease.holder)
        return taken
      }
    }
  }),
  mutant('a lease never ends', 'leases', (leases) => ({
    acquire: async (lease) => await leases.acquire({ ...lease, now: '' })
  })),
  mutant('a lease is given free by anybody', 'leases', (leases) => {
    const holders = new Map<string, string>()
    return {
      acquire: async (lease) => {
        const taken = await leases.acquire(lease)
        if (taken) holders.set(lease.name, lease.holder)
        return taken
      },
      release: async ({ name, holder }) => await leases.release({ name, holder: holders.get(name) ?? holder })
    }
  }),
  mutant('a lease is not given free', 'leases', () => ({ release: async () => {} })),
  mutant('add loses counts that come at once', 'usage', (usage) => {
    let running = false
    return {
      add: async (counts) => {
        if (running) return
        running = true
        await pause()
        await usage.add(counts)
        running = false
      }
    }
  }),
  mutant('hours come newest first', 'usage', (usage) => ({
    hours: async (accountId, since) => (await usage.hours(accountId, since)).reverse()
  })),
  {
    title: 'ping answers after the store was closed',
    collection: 'store',
    wrap: (store) => ({ ...store, ping: async () => {} })
  },
  {
    title: 'what was written last is lost when the store is closed',
    collection: 'store',
    wrap: (store) => ({ ...store, usage: { ...store.usage, add: async () => {} } })
  }
]

export const MUTANTS: readonly Mutant[] = [
  ...accountMutants,
  ...keyMutants,
  ...blogMutants,
  ...otherMutants,
  ...PRODUCT_MUTANTS,
  ...VISUAL_CHECK_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...TRANSFER_MUTANTS
]
