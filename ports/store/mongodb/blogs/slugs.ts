import { createYielder, mapInSlices, sortInSlices } from '../../../../lib/async.ts'
import { compareText } from '../../../../lib/text.ts'
import type { BlogStore, BlogTombstone, ProjectScope, SlugResolution } from '../../port.ts'
import type { Database } from '../database.ts'
import { readInSlices } from '../slices.ts'
import { compoundId, visibleTo } from '../documents.ts'
import {
  blogCollection,
  newestFirst,
  RECORD_FIELDS,
  slugKey,
  toBlogMetadata,
  toBlogRecord,
  withSlug,
  type BlogDocument
} from './documents.ts'

/** A blog that has, or had, slugs while it was public. */
type SlugOwner = Pick<BlogDocument, '_id' | 'projectId' | 'deleted' | 'metadata' | 'releasedSlugs'>
interface Release {
  owner: SlugOwner
  slug: string
  leftAt: string
}

/** What decides which blog a slug leads to. Few bytes, because any number of blogs may have given up the same slug. */
const OWNER_FIELDS = {
  projectId: 1,
  deleted: 1,
  'metadata.slug': 1,
  'metadata.status': 1,
  releasedSlugs: 1
} as const

/** Slugs that one command looks up. Those of all blogs would exceed the size of a command. */
const KEYS_PER_COMMAND = 1_000

/** Resolves current and former slugs. */
export function createBlogSlugs(
  database: Database
): Pick<BlogStore, 'resolveSlug' | 'findBySlug' | 'findBySlugs' | 'redirects'> {
  const blogs = blogCollection(database)

  async function findPublishedBySlug(scope: ProjectScope, slug: string): Promise<SlugResolution | null> {
    const published = {
      ...withSlug(scope, slug),
      'metadata.status': 'published'
    } as const
    const found = await blogs.find(published, { projection: { projectId: 1, 'metadata.publishedAt': 1 } }).toArray()
    const [newest, ...others] = found.toSorted(newestFirst)
    if (newest === undefined) return null
    const document = await blogs.findOne({ ...published, _id: newest._id }, { projection: RECORD_FIELDS })
    // The blog changed between the two reads.
    if (document === null) return await findPublishedBySlug(scope, slug)
    const otherProjects = others.map(({ projectId }) => projectId).sort(compareText)
    return { kind: 'blog', blog: toBlogRecord(document), otherProjects }
  }

  /** Resolves a former slug. Returns 'retry' when a public blog took the slug meanwhile. */
  async function resolveFormerSlug(scope: ProjectScope, slug: string): Promise<SlugResolution | null | 'retry'> {
    const visible = visibleTo(scope)
    // A single query for current and former owners. Between two queries, a blog could take its slug
    // back and be missed.
    const found: SlugOwner[] = await readInSlices(
      blogs.find(
        { $or: [withSlug(scope, slug), { ...visible, 'releasedSlugs.slug': slug }] },
        { projection: OWNER_FIELDS }
      )
    )
    if (found.some((owner) => isPublic(owner) && owner.metadata?.slug === slug)) return 'retry'
    const released = (await lastReleases(found)).filter((release) => release.slug === slug)
    const last = released.sort((a, b) => (isLaterRelease(a, b) ? -1 : 1))
    const owners = last.map(({ owner }) => owner)
    const owner = owners.find(isPublic) ?? owners.find(({ deleted }) => deleted)
    if (owner === undefined) return null
    const document = await blogs.findOne({ _id: owner._id }, { projection: { metadata: 1, tombstone: 1 } })
    // The owner changed between the two reads.
    if (document === null || isPublic(owner) !== isPublic(document)) return 'retry'
    return isPublic(document)
      ? { kind: 'moved', blog: toBlogMetadata(document) }
      : { kind: 'gone', blog: document.tombstone as BlogTombstone }
  }

  /** Which of these slug keys published blogs have. */
  async function findCurrentKeys(visible: ReturnType<typeof visibleTo>, keys: string[]): Promise<Set<string>> {
    const current = new Set<string>()
    for (let from = 0; from < keys.length; from += KEYS_PER_COMMAND) {
      const some = keys.slice(from, from + KEYS_PER_COMMAND)
      const published = { slugKey: { $in: some }, ...visible, 'metadata.status': 'published' } as const
      for (const holder of await readInSlices(blogs.find(published, { projection: { _id: 0, slugKey: 1 } }))) {
        current.add(holder.slugKey)
      }
    }
    return current
  }

  return {
    resolveSlug: (scope, slug) =>
      database.run(async () => {
        for (;;) {
          const result = (await findPublishedBySlug(scope, slug)) ?? (await resolveFormerSlug(scope, slug))
          if (result !== 'retry') return result
        }
      }),
    findBySlug: (scope, slug) =>
      database.run(async () => {
        const found = await blogs.find(withSlug(scope, slug), { projection: { projectId: 1 } }).toArray()
        return found
          .map(({ _id: id, projectId }) => ({ id, projectId }))
          .sort((a, b) => compareText(a.projectId, b.projectId))
      }),
    findBySlugs: ({ accountId, projectId }, slugs) =>
      database.run(async () => {
        const keys = slugs.map((slug) => slugKey({ accountId, projectId, slug }))
        const found = await blogs.find({ slugKey: { $in: keys } }, { projection: { 'metadata.slug': 1 } }).toArray()
        return found.map((document) => ({ id: document._id, slug: toBlogMetadata(document).slug }))
      }),
    redirects: (scope) =>
      database.run(async () => {
        // The same rules as `resolveSlug`, for all slugs at once.
        const visible = visibleTo(scope)
        const owners: SlugOwner[] = await readInSlices(
          blogs.find({ ...visible, 'releasedSlugs.slug': { $gte: '' } }, { projection: OWNER_FIELDS })
        )
        const moved = (await lastReleases(owners)).filter(({ owner }) => isPublic(owner))
        if (moved.length === 0) return []
        const { accountId } = scope
        const keyOf = ({ slug, owner: { projectId } }: Release) => slugKey({ accountId, projectId, slug })
        const currentKeys = await findCurrentKeys(visible, await mapInSlices(moved, keyOf))
        const current = await mapInSlices(moved, (release) => currentKeys.has(keyOf(release)))
        const redirects = await mapInSlices(
          moved.filter((_, index) => !current[index]!),
          ({ slug, owner }) => ({ projectId: owner.projectId, from: slug, to: toBlogMetadata(owner).slug })
        )
        return await sortInSlices(
          redirects,
          (a, b) => compareText(a.from, b.from) || compareText(a.projectId, b.projectId)
        )
      })
  }
}

/** For each slug of each project, the blog that gave it up last. */
async function lastReleases(owners: SlugOwner[]): Promise<Release[]> {
  const last = new Map<string, Release>()
  const pause = createYielder()
  for (const owner of owners) {
    for (const { slug, leftAt } of owner.releasedSlugs) {
      const key = compoundId(owner.projectId, slug)
      const release = { owner, slug, leftAt }
      const other = last.get(key)
      if (other === undefined || isLaterRelease(release, other)) last.set(key, release)
      await pause()
    }
  }
  return [...last.values()]
}

/** At the same instant, a blog that is not deleted wins over a deleted one. */
function isLaterRelease(a: Release, b: Release): boolean {
  if (a.leftAt !== b.leftAt) return a.leftAt > b.leftAt
  if (a.owner.deleted !== b.owner.deleted) return b.owner.deleted
  return a.owner._id > b.owner._id
}

const isPublic = ({ metadata }: Pick<BlogDocument, 'metadata'>): boolean => metadata?.status === 'published'
