import type { ReadScope, BlogStore, BlogTombstone, SlugResolution } from '../../port.ts'
import type { Database } from '../database.ts'
import { readInSlices } from '../slices.ts'
import { visibleTo } from '../documents.ts'
import { blogCollection, RECORD_FIELDS, slugKey, toBlogMetadata, toBlogRecord, type BlogDocument } from './documents.ts'

/** A blog that has, or had, slugs while it was public. */
type SlugOwner = Pick<BlogDocument, '_id' | 'projectId' | 'deleted' | 'metadata' | 'tombstone' | 'releasedSlugs'>
interface Release {
  owner: SlugOwner
  leftAt: string
}

const OWNER_FIELDS = { projectId: 1, deleted: 1, metadata: 1, tombstone: 1, releasedSlugs: 1 } as const

/** Resolves current and former slugs. */
export function createBlogSlugs(database: Database): Pick<BlogStore, 'resolveSlug' | 'findIdBySlug' | 'redirects'> {
  const blogs = blogCollection(database)

  async function findPublishedBySlug(reader: ReadScope, slug: string): Promise<SlugResolution | null> {
    const found = await blogs.findOne(
      { ...visibleTo(reader), slugKey: slugKey(reader.accountId, slug), 'metadata.status': 'published' },
      { projection: RECORD_FIELDS }
    )
    return found === null ? null : { kind: 'blog', blog: toBlogRecord(found) }
  }

  /** Resolves a former slug. Returns 'retry' when a public blog took the slug meanwhile. */
  async function resolveFormerSlug(reader: ReadScope, slug: string): Promise<SlugResolution | null | 'retry'> {
    const visible = visibleTo(reader)
    // A single query for current and former owners. Between two queries, a blog could take its slug
    // back and be missed.
    const found: SlugOwner[] = await blogs
      .find(
        {
          $or: [
            { ...visible, slugKey: slugKey(reader.accountId, slug) },
            { ...visible, 'releasedSlugs.slug': slug }
          ]
        },
        { projection: OWNER_FIELDS }
      )
      .toArray()
    if (found.some((owner) => isPublic(owner) && owner.metadata?.slug === slug)) return 'retry'
    const last = lastOwners(found).get(slug)
    if (last?.deleted === true) return { kind: 'gone', blog: last.tombstone as BlogTombstone }
    return last !== undefined && isPublic(last) ? { kind: 'moved', blog: toBlogMetadata(last) } : null
  }

  return {
    resolveSlug: (reader, slug) =>
      database.run(async () => {
        for (;;) {
          const result = (await findPublishedBySlug(reader, slug)) ?? (await resolveFormerSlug(reader, slug))
          if (result !== 'retry') return result
        }
      }),
    findIdBySlug: async (accountId, slug) => {
      const found = await database.run(() =>
        blogs.findOne({ slugKey: slugKey(accountId, slug) }, { projection: { _id: 1 } })
      )
      return found?._id ?? null
    },
    redirects: ({ projectId, ...reader }) =>
      database.run(async () => {
        // The same rules as `resolveSlug`, for all slugs at once. The project restricts the
        // targets, not the owners that compete for a slug.
        const visible = visibleTo(reader)
        const projection = {
          projectId: 1,
          deleted: 1,
          releasedSlugs: 1,
          'metadata.slug': 1,
          'metadata.status': 1
        } as const
        const owners: SlugOwner[] = await readInSlices(
          blogs.find({ ...visible, 'releasedSlugs.slug': { $gte: '' } }, { projection })
        )
        const moved = [...lastOwners(owners)].filter(
          ([, owner]) => isPublic(owner) && (projectId === undefined || owner.projectId === projectId)
        )
        if (moved.length === 0) return []
        const slugKeys = moved.map(([slug]) => slugKey(reader.accountId, slug))
        const holders = await readInSlices(
          blogs.find(
            { ...visible, slugKey: { $in: slugKeys }, 'metadata.status': 'published' },
            { projection: { _id: 0, 'metadata.slug': 1 } }
          )
        )
        const currentSlugs = new Set(holders.map(({ metadata }) => metadata?.slug))
        return moved
          .filter(([slug]) => !currentSlugs.has(slug))
          .map(([from, owner]) => ({ from, to: toBlogMetadata(owner).slug }))
          .toSorted((a, b) => compareBytes(a.from, b.from))
      })
  }
}

/** By slug, the blog that gave it up last. */
function lastOwners(owners: SlugOwner[]): Map<string, SlugOwner> {
  const last = new Map<string, Release>()
  for (const owner of owners) {
    for (const { slug, leftAt } of owner.releasedSlugs) {
      const other = last.get(slug)
      if (other === undefined || isLaterRelease({ owner, leftAt }, other)) last.set(slug, { owner, leftAt })
    }
  }
  return new Map([...last].map(([slug, { owner }]) => [slug, owner]))
}

/** At the same instant, a blog that is not deleted wins over a deleted one. */
function isLaterRelease(a: Release, b: Release): boolean {
  if (a.leftAt !== b.leftAt) return a.leftAt > b.leftAt
  if (a.owner.deleted !== b.owner.deleted) return b.owner.deleted
  return a.owner._id > b.owner._id
}

const isPublic = ({ metadata }: Pick<BlogDocument, 'metadata'>): boolean => metadata?.status === 'published'
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
