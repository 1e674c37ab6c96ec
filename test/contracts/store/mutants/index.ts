import type { ApiKeyRecord, BlogMetadata, BlogRecord, FormerSlug } from '../../../../ports/store/port.ts'
import { AUDIT_MUTANTS } from './audit.ts'
import { GENERATED_FILE_MUTANTS } from './generated-files.ts'
import { VISUAL_CHECK_MUTANTS } from './visual-checks.ts'
import { PRODUCT_MUTANTS } from './products.ts'
import { mutant, pause, type Mutant } from './mutant.ts'
import { RELATED_INDEX_MUTANTS } from './related-index.ts'
import { REVISION_MUTANTS } from './revisions.ts'
import { TRANSFER_MUTANTS } from './transfer.ts'
import { WEBHOOK_MUTANTS } from './webhooks.ts'
export type { Mutant } from './mutant.ts'

const accountMutants: Mutant[] = [
  mutant('insertIfAbsent overwrites the account', 'accounts', (accounts) => ({
    insertIfAbsent: async (account) => {
      await accounts.insertIfAbsent(account)
      return (await accounts.update(account.id, account)) ?? account
    }
  })),
  mutant('insertIfAbsent returns its argument', 'accounts', (accounts) => ({
    insertIfAbsent: async (account) => {
      await accounts.insertIfAbsent(account)
      return structuredClone(account)
    }
  })),
  mutant('update of an account overwrites concurrent changes', 'accounts', (accounts) => ({
    update: async (id, change) => {
      const before = await accounts.find(id)
      await pause()
      return before === null ? null : await accounts.update(id, { ...before, ...change })
    }
  })),
  mutant('accounts are listed by UTF-16 units', 'accounts', (accounts) => ({
    list: async (page) => (await accounts.list(page)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  })),
  mutant('find returns a shared object', 'accounts', (accounts) => {
    const seen = new Map<string, Awaited<ReturnType<typeof accounts.find>>>()
    return {
      update: async (id, change) => {
        seen.set(id, await accounts.update(id, change))
        return seen.get(id) ?? null
      },
      find: async (id) => seen.get(id) ?? (await accounts.find(id))
    }
  }),
  mutant('insertIfAbsent always reports added', 'projects', (projects) => ({
    insertIfAbsent: async (project) => ({ ...(await projects.insertIfAbsent(project)), added: true })
  })),
  mutant('dueForCheck includes schedules of the future', 'projects', (projects) => ({
    dueForCheck: async (_now, limit) => await projects.dueForCheck('~', limit)
  })),
  mutant('dueForCheck ignores the limit', 'projects', (projects) => ({
    dueForCheck: async (now) => await projects.dueForCheck(now, 1000)
  })),
  mutant('dueForCheck returns the latest first', 'projects', (projects) => ({
    dueForCheck: async (now, limit) => (await projects.dueForCheck(now, 1000)).reverse().slice(0, limit)
  })),
  mutant('delete returns true for a missing project', 'projects', (projects) => ({
    delete: async (accountId, id) => {
      await projects.delete(accountId, id)
      return true
    }
  }))
]

const keyMutants: Mutant[] = [
  mutant('add ignores the limit of active keys', 'apiKeys', (keys) => ({
    add: async (key) => await keys.add(key, Infinity)
  })),
  mutant('add counts and writes in separate steps', 'apiKeys', (keys) => ({
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
  mutant('findByHash caches results', 'apiKeys', (keys) => {
    const seen = new Map<string, ApiKeyRecord>()
    return {
      add: async (key, maxActive) => {
        const added = await keys.add(key, maxActive)
        if (added) seen.set(key.hash, structuredClone(key))
        return added
      },
      findByHash: async (hash) => {
        const key = structuredClone(seen.get(hash))
        return key === undefined ? await keys.findByHash(hash) : { key, account: null }
      }
    }
  }),
  mutant('findByHash does not return the account', 'apiKeys', (keys) => ({
    findByHash: async (hash) => {
      const found = await keys.findByHash(hash)
      return found && { ...found, account: null }
    }
  })),
  mutant('update ignores the limit of active keys', 'apiKeys', (keys) => ({
    update: async (id, change) => await keys.update(id, change, Infinity)
  })),
  mutant('recordUses can move the last use back', 'apiKeys', (keys) => {
    const last = new Map<string, string>()
    const withoutUse = (key: ApiKeyRecord | null) =>
      key === null ? null : { ...key, lastUsedAt: last.get(key.id) ?? key.lastUsedAt }
    return {
      recordUses: async (uses) => {
        for (const { id, at } of uses) last.set(id, at)
      },
      find: async (accountId, id) => withoutUse(await keys.find(accountId, id)),
      findByHash: async (hash) => {
        const found = await keys.findByHash(hash)
        return found && { ...found, key: withoutUse(found.key)! }
      }
    }
  }),
  mutant('keys are listed newest first', 'apiKeys', (keys) => ({
    list: async (accountId) => (await keys.list(accountId)).reverse()
  }))
]

const responseMutants: Mutant[] = [
  mutant('save stores responses of earlier states', 'blogResponses', (responses, store) => ({
    save: async (prepared) => {
      const current = await Promise.all(prepared.map(({ accountId, id }) => store.blogs.findMetadata(accountId, id)))
      await responses.save(prepared.map((blog, at) => ({ ...blog, ...pick(current[at]) })))
    }
  })),
  mutant('save replaces content by an item', 'blogResponses', (responses) => ({
    save: async (prepared) => {
      await responses.save(
        prepared.map((blog) => (blog.content === null ? { ...blog, basis: `${blog.basis} ` } : blog))
      )
    }
  })),
  mutant('an item never replaces what is stored', 'blogResponses', (responses) => ({
    save: async (prepared) => {
      const added = []
      for (const blog of prepared) {
        const found = await responses.find({ accountId: blog.accountId, projectIds: null }, { id: blog.id })
        if (blog.content !== null || found?.prepared == null) added.push(blog)
      }
      await responses.save(added)
    }
  })),
  mutant('find ignores the projects of the scope', 'blogResponses', (responses) => ({
    find: async ({ accountId }, address) => await responses.find({ accountId, projectIds: null }, address)
  })),
  mutant('find does not name the other projects', 'blogResponses', (responses) => ({
    find: async (scope, address) => {
      const found = await responses.find(scope, address)
      return found && { ...found, otherProjects: [] }
    }
  })),
  mutant('compressed bodies are lost', 'blogResponses', (responses) => ({
    save: async (prepared) => {
      await responses.save(
        prepared.map((blog) => ({ ...blog, content: blog.content && { ...blog.content, gzip: null } }))
      )
    }
  })),
  mutant('list returns items instead of bodies', 'blogResponses', (responses) => ({
    list: async (filter, page) => await responses.list(filter, { ...page, withBody: false })
  })),
  mutant('list counts although the total is given', 'blogResponses', (responses) => ({
    list: async (filter, page) =>
      await responses.list(
        filter,
        'after' in page ? page : { page: page.page, pageSize: page.pageSize, withBody: page.withBody }
      )
  })),
  mutant('list ignores the order', 'blogResponses', (responses) => ({
    list: async ({ sort: _sort, ...filter }, page) => await responses.list(filter, page)
  }))
]

const pick = (blog: BlogMetadata | null | undefined) =>
  blog == null ? {} : { version: blog.version, updatedAt: blog.updatedAt }

const blogMutants: Mutant[] = [
  mutant('add accepts a duplicate slug', 'blogs', (blogs) => ({
    add: async (blog) =>
      await blogs.add(
        (await blogs.findBySlug({ ...blog, projectIds: null }, blog.slug)).length > 0
          ? { ...blog, slug: `${blog.slug}-2` }
          : blog
      )
  })),
  mutant('listAfter begins with the position', 'blogs', (blogs) => ({
    listAfter: async (filter, page) => {
      const at = await blogs.findMetadata(filter.accountId, page.after.id)
      const following = await blogs.listAfter(filter, page)
      return at === null ? following : [at, ...following].slice(0, page.limit)
    }
  })),
  mutant('listAfter ignores ids at equal values', 'blogs', (blogs) => ({
    listAfter: async (filter, page) =>
      await blogs.listAfter(filter, {
        ...page,
        after: { ...page.after, id: filter.sort?.startsWith('-') === false ? '~' : '' }
      })
  })),
  mutant('listAfter ignores where the words are', 'blogs', (blogs) => ({
    listAfter: async (filter, page) =>
      await blogs.listAfter(filter, {
        ...page,
        after: { ...page.after, ...(page.after.inTitle === undefined ? {} : { inTitle: !page.after.inTitle }) }
      })
  })),
  mutant('addMany stops at the first conflict', 'blogs', (blogs) => ({
    addMany: async (additions) => {
      const outcomes: (Error | null)[] = []
      for (const addition of additions) {
        outcomes.push(outcomes.at(-1) ?? (await blogs.addMany([addition]))[0]!)
      }
      return outcomes
    }
  })),
  mutant('addMany writes no events', 'blogs', (blogs) => ({
    addMany: async (additions) => await blogs.addMany(additions.map(({ blog }) => ({ blog, events: [] })))
  })),
  mutant('findBySlugs ignores the project', 'blogs', (blogs) => ({
    findBySlugs: async ({ accountId }, slugs) => await blogs.findBySlugs({ accountId, projectId: 'site' }, slugs)
  })),
  mutant('findBySlug ignores the project', 'blogs', (blogs) => ({
    findBySlug: async ({ accountId, projectIds }, slug) => await blogs.findBySlug({ accountId, projectIds }, slug)
  })),
  mutant('resolveSlug prefers the blog that was published first', 'blogs', (blogs) => ({
    resolveSlug: async (scope, slug) => {
      const found = await blogs.resolveSlug(scope, slug)
      if (found?.kind !== 'blog' || found.otherProjects.length === 0) return found
      const { projectId } = found.blog
      const other = await blogs.resolveSlug({ ...scope, projectId: found.otherProjects[0] }, slug)
      return other?.kind === 'blog' ? { ...other, otherProjects: [projectId] } : found
    }
  })),
  mutant('save ignores the version', 'blogs', (blogs) => ({
    save: async (blog) => await blogs.save(blog, (await blogs.findMetadata(blog.accountId, blog.id))?.version ?? 0)
  })),
  mutant('save deletes the related entries', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) => {
      const saved = await blogs.save(blog, ifVersion)
      if (saved) await blogs.setRelated(blog.accountId, [{ id: blog.id, related: [] }])
      return saved
    }
  })),
  mutant('save without a body loses the terms of the title', 'blogs', (blogs) => ({
    save: async (blog, ifVersion, events) => {
      if (blog.body !== undefined) return await blogs.save(blog, ifVersion, events)
      const stored = await blogs.find(blog.accountId, blog.id)
      if (stored === null) return false
      return await blogs.save({ ...blog, body: { ...stored.body, titleTerms: [] } }, ifVersion, events)
    }
  })),
  mutant('save does not replace tags', 'blogs', (blogs) => ({
    save: async (blog, ifVersion) =>
      await blogs.save(
        { ...blog, tags: [...blog.tags, ...((await blogs.findMetadata(blog.accountId, blog.id))?.tags ?? [])] },
        ifVersion
      )
  })),
  mutant('delete ignores the version', 'blogs', (blogs) => ({
    delete: async (tombstone) =>
      await blogs.delete(tombstone, (await blogs.findMetadata(tombstone.accountId, tombstone.id))?.version ?? 0)
  })),
  mutant('delete does not delete the images', 'blogs', (blogs, store) => ({
    delete: async (tombstone, ifVersion) => {
      const images = await store.images.list(tombstone.accountId, tombstone.id)
      const deleted = await blogs.delete(tombstone, ifVersion)
      for (const image of images) await store.images.insertIfAbsent(image)
      return deleted
    }
  })),
  mutant('list returns the page size as the total', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found } = await blogs.list(filter, page)
      return { blogs: found, totalCount: found.length }
    }
  })),
  mutant('list sorts blogs with the same date by id ascending', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      return { blogs: found.toSorted((a, b) => (a.publishedAt === b.publishedAt && a.id < b.id ? -1 : 0)), totalCount }
    }
  })),
  mutant('list ignores the projects of the scope', 'blogs', (blogs) => ({
    list: async (filter, page) => await blogs.list({ ...filter, projectIds: null }, page)
  })),
  mutant('list always includes bodies', 'blogs', (blogs) => ({
    list: async (filter, page) => await blogs.list(filter, { ...page, withBody: true })
  })),
  mutant('list treats publishedAfter as inclusive', 'blogs', (blogs) => ({
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
  mutant('search matches any word instead of all', 'blogs', (blogs) => ({
    list: async (filter, page) =>
      await blogs.list({ ...filter, ...(filter.terms === undefined ? {} : { terms: filter.terms.slice(-1) }) }, page)
  })),
  mutant('search does not match the last word as a prefix', 'blogs', (blogs) => ({
    list: async (filter, page) =>
      await blogs.list({ ...filter, ...(filter.terms === undefined ? {} : { terms: [...filter.terms, ''] }) }, page)
  })),
  mutant('search sorts only by date', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      return { blogs: found.toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')), totalCount }
    }
  })),
  mutant('search folds words again', 'blogs', (blogs) => {
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
  mutant('resolveSlug prefers a draft', 'blogs', (blogs) => ({
    resolveSlug: async (reader, slug) => {
      const { blogs: drafts } = await blogs.list(
        { ...reader, status: 'draft' },
        { page: 1, pageSize: 100, withBody: true }
      )
      const draft = drafts.find((blog) => blog.slug === slug)
      return draft === undefined
        ? await blogs.resolveSlug(reader, slug)
        : { kind: 'blog', blog: draft as BlogRecord, otherProjects: [] }
    }
  })),
  mutant('resolveSlug uses the first blog that released the slug', 'blogs', (blogs) => ({
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
  mutant('resolveSlug ignores the projects of the scope', 'blogs', (blogs) => ({
    resolveSlug: async (reader, slug) => await blogs.resolveSlug({ ...reader, projectIds: null }, slug)
  })),
  mutant('resolveSlug returns gone for blogs that were never public', 'blogs', (blogs) => ({
    delete: async (tombstone, ifVersion) => await blogs.delete({ ...tombstone, wasPublic: true }, ifVersion)
  })),
  mutant('redirects includes slugs that another blog has taken', 'blogs', (blogs) => ({
    redirects: async (reader) => {
      const { blogs: heads } = await blogs.list(
        { ...reader, status: 'published' },
        { page: 1, pageSize: 100, withBody: false }
      )
      return heads
        .flatMap(({ projectId, slug, formerSlugs }) =>
          formerSlugs.map((former) => ({ projectId, from: former.slug, to: slug }))
        )
        .sort((a, b) => (a.from < b.from ? -1 : 1))
    }
  })),
  mutant('labels are counted by spelling', 'blogs', (blogs) => ({
    countByLabel: async (by, scope) =>
      (await blogs.countByLabel(by, scope)).flatMap(({ label, count }) =>
        label === 'Straße'
          ? [
              { label, count: 2 },
              { label: 'STRASSE', count: 1 }
            ]
          : [{ label, count }]
      )
  })),
  mutant('labels counts drafts', 'blogs', (blogs) => ({
    countByLabel: async (by, scope) => {
      const counts = await blogs.countByLabel(by, scope)
      const { blogs: drafts } = await blogs.list(
        { ...scope, status: 'draft' },
        { page: 1, pageSize: 100, withBody: false }
      )
      return counts.map(({ label, count }) => ({
        label,
        count: count + drafts.filter((draft) => draft.category === label).length
      }))
    }
  })),
  mutant('list ignores the order', 'blogs', (blogs) => ({
    list: async ({ sort, ...filter }, page) => await blogs.list(filter, page)
  })),
  mutant('list sorts ties by id ascending in every order', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      const isTie = (a: BlogMetadata, b: BlogMetadata) => a.updatedAt === b.updatedAt
      return {
        blogs: filter.sort === '-updatedAt' ? found.toSorted((a, b) => (isTie(a, b) && a.id < b.id ? -1 : 0)) : found,
        totalCount
      }
    }
  })),
  mutant('list compares labels exactly', 'blogs', (blogs) => ({
    list: async (filter, page) => {
      const { blogs: found, totalCount } = await blogs.list(filter, page)
      const exact = found.filter(({ category }) => filter.category === undefined || category === filter.category)
      return { blogs: exact, totalCount: exact.length < found.length ? exact.length : totalCount }
    }
  })),
  mutant('findTranslations includes drafts', 'blogs', (blogs) => ({
    findTranslations: async (project, keys) => {
      const { blogs: all } = await blogs.list(
        { ...project, projectIds: null, status: 'any' },
        { page: 1, pageSize: 100, withBody: false }
      )
      return all
        .filter(({ translationKey }) => keys.includes(translationKey ?? ''))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, projectId, translationKey, slug, locale, title, canonicalUrl }) => ({
          id,
          projectId,
          translationKey: translationKey!,
          slug,
          locale,
          title,
          canonicalUrl
        }))
    }
  })),
  mutant('touchTranslations changes the blog itself', 'blogs', (blogs) => ({
    touchTranslations: async (project, change) => await blogs.touchTranslations(project, { ...change, exceptId: '' })
  })),
  mutant('removedSince omits unpublished blogs', 'blogs', (blogs) => ({
    removedSince: async (reader, since, page) => {
      const removed = await blogs.removedSince(reader, since, page)
      const graves = await Promise.all(removed.map(({ id }) => blogs.findTombstone(reader.accountId, id)))
      return removed.filter((_, at) => graves[at] !== null)
    }
  })),
  mutant('removedSince repeats its first page', 'blogs', (blogs) => ({
    removedSince: async (reader, since, page) => await blogs.removedSince(reader, since, { ...page, after: null })
  })),
  mutant('removedSince excludes its start', 'blogs', (blogs) => ({
    removedSince: async (reader, since, page) =>
      (await blogs.removedSince(reader, since, page)).filter(({ at }) => at !== since)
  })),
  mutant('removedSince omits blogs that left a project', 'blogs', (blogs) => ({
    removedSince: async (reader, since, page) => {
      const removed = await blogs.removedSince(reader, since, page)
      const found = await Promise.all(removed.map(({ id }) => blogs.findMetadata(reader.accountId, id)))
      return removed.filter((_, at) => found[at]?.status !== 'published')
    }
  })),
  mutant('pending lists the latest first', 'blogs', (blogs) => ({
    dueToPublish: async (now, page) => {
      const { items, next } = await blogs.dueToPublish(now, page)
      return { items: items.reverse(), next }
    }
  })),
  mutant('renderedByOtherRules ignores the page key', 'blogs', (blogs) => ({
    renderedByOtherRules: async (rules, page) => await blogs.renderedByOtherRules(rules, { ...page, after: null })
  })),
  mutant('setRelated changes the version', 'blogs', (blogs) => ({
    setRelated: async (accountId, lists) => {
      const changed = await blogs.setRelated(accountId, lists)
      for (const { id } of lists) {
        const blog = await blogs.find(accountId, id)
        if (blog !== null) await blogs.save({ ...blog, version: blog.version + 1 }, blog.version)
      }
      return changed
    }
  })),
  mutant('setRelated counts lists that stay the same', 'blogs', (blogs) => ({
    setRelated: async (accountId, lists) => {
      await blogs.setRelated(accountId, lists)
      return lists.length
    }
  })),
  mutant('vectorsOf includes drafts', 'blogs', (blogs) => ({
    vectorsOf: async (accountId, ids) => {
      const found = await Promise.all(ids.map((id) => blogs.find(accountId, id)))
      return found.flatMap((blog) => (blog === null ? [] : { ...blog, vector: blog.body.vector }))
    }
  })),
  mutant('clearPendingRelated clears a blog that was saved again', 'blogs', (blogs) => ({
    clearPendingRelated: async (accountId, marks) => {
      await blogs.clearPendingRelated(accountId, [...marks, ...(await blogs.pendingRelated(accountId, 99))])
    }
  })),
  mutant('relatedMarks omits deletions', 'blogs', (blogs) => ({
    pendingRelated: async (accountId, limit) => {
      const marks = await blogs.pendingRelated(accountId, limit)
      const graves = await Promise.all(marks.map(({ id }) => blogs.findTombstone(accountId, id)))
      return marks.filter((_, at) => graves[at] === null)
    }
  })),
  mutant('findPublished ignores the scope', 'blogs', (blogs) => ({
    findPublished: async (reader, ids) => await blogs.findPublished({ ...reader, projectIds: null }, ids)
  })),
  mutant('existsInProject only counts published blogs', 'blogs', (blogs) => ({
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
  mutant('insertIfAbsent replaces the image', 'images', (images) => ({
    insertIfAbsent: async (image) => {
      await images.delete(image.accountId, image.blogId, image.filename)
      return await images.insertIfAbsent(image)
    }
  })),
  mutant('setAlt changes nothing', 'images', (images) => ({
    setAlt: async (image, alt) => {
      const found = await images.find(image.blogId, image.filename)
      return found?.accountId === image.accountId ? { ...found, alt } : null
    }
  })),
  mutant('images are listed by file name', 'images', (images) => ({
    list: async (accountId, blogId) =>
      (await images.list(accountId, blogId)).sort((a, b) => (a.filename < b.filename ? -1 : 1))
  })),
  {
    title: 'a probe does nothing',
    collection: 'store',
    wrap: (store) => ({ ...store, probe: async () => {} })
  },
  mutant('claim always claims', 'idempotency', () => ({
    claim: async ({ operationId }) => ({ state: 'claimed', operationId, isRetry: false })
  })),
  mutant('claim forgets the operation of an abandoned request', 'idempotency', (idempotency) => ({
    claim: async (claim) => {
      const result = await idempotency.claim(claim)
      return result.state === 'claimed' ? { ...result, operationId: claim.operationId } : result
    }
  })),
  mutant('claim reports every claim as the first attempt', 'idempotency', (idempotency) => ({
    claim: async (claim) => {
      const result = await idempotency.claim(claim)
      return result.state === 'claimed' ? { ...result, isRetry: false } : result
    }
  })),
  mutant('claim continues the operation of another body', 'idempotency', (idempotency) => {
    const operations = new Map<string, string>()
    return {
      claim: async (claim) => {
        const operationId = operations.get(claim.scope) ?? claim.operationId
        operations.set(claim.scope, operationId)
        return await idempotency.claim({ ...claim, operationId })
      }
    }
  }),
  mutant('claim reads and writes in separate steps', 'idempotency', (idempotency) => {
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
  mutant('claim does not compare the bodies', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, bodyHash: 'same' })
  })),
  mutant('claim never takes over', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, staleBefore: '' })
  })),
  mutant('claim ignores expiry', 'idempotency', (idempotency) => ({
    claim: async (claim) => await idempotency.claim({ ...claim, expiresAt: '9' })
  })),
  mutant('sweep returns 0', 'idempotency', (idempotency) => ({
    deleteExpired: async (now) => {
      await idempotency.deleteExpired(now)
      return 0
    }
  })),
  mutant('storage counts no bytes of blogs', 'storage', (storage) => ({
    measure: async (accountId) => {
      const usage = await storage.measure(accountId)
      return usage.blogs > 0 ? { ...usage, bytes: 1 } : usage
    }
  })),
  mutant('storage never shrinks', 'storage', (storage) => {
    const largest = new Map<string, number>()
    return {
      measure: async (accountId) => {
        const usage = await storage.measure(accountId)
        const bytes = Math.max(usage.bytes, largest.get(accountId) ?? 0)
        largest.set(accountId, bytes)
        return { ...usage, bytes }
      }
    }
  }),
  mutant('storage counts no responses', 'storage', (storage) => ({
    measure: async (accountId) => {
      const usage = await storage.measure(accountId)
      return usage.blogs + usage.products + usage.images > 0 ? usage : { ...usage, bytes: 0 }
    }
  })),
  mutant('storage counts products twice', 'storage', (storage) => ({
    measure: async (accountId) => {
      const usage = await storage.measure(accountId)
      return { ...usage, products: 2 * usage.products }
    }
  })),
  mutant('a lease is not exclusive', 'leases', (leases) => ({
    acquire: async (lease) => {
      await leases.acquire(lease)
      return true
    }
  })),
  mutant('a lease cannot be extended', 'leases', (leases) => {
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
  mutant('a lease never expires', 'leases', (leases) => ({
    acquire: async (lease) => await leases.acquire({ ...lease, now: '' })
  })),
  mutant('a lease can be released by another holder', 'leases', (leases) => {
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
  mutant('a lease is not released', 'leases', () => ({ release: async () => {} })),
  mutant('a value is replaced whatever it was', 'metadata', (metadata) => ({
    replace: async (name, _expected, value) => {
      const current = await metadata.find(name)
      return await metadata.replace(name, current, value)
    }
  })),
  mutant('replacing a value is not atomic', 'metadata', (metadata) => ({
    replace: async (name, expected, value) => {
      const current = await metadata.find(name)
      await pause()
      if (current !== expected) return false
      await metadata.replace(name, await metadata.find(name), value)
      return true
    }
  })),
  mutant('values have no names', 'metadata', (metadata) => ({
    find: async () => await metadata.find('value'),
    replace: async (_name, expected, value) => await metadata.replace('value', expected, value)
  })),
  mutant('add loses concurrent counts', 'usage', (usage) => {
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
  mutant('hours are listed newest first', 'usage', (usage) => ({
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
  ...responseMutants,
  ...blogMutants,
  ...REVISION_MUTANTS,
  ...otherMutants,
  ...PRODUCT_MUTANTS,
  ...VISUAL_CHECK_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...RELATED_INDEX_MUTANTS,
  ...TRANSFER_MUTANTS,
  ...AUDIT_MUTANTS,
  ...GENERATED_FILE_MUTANTS
]
