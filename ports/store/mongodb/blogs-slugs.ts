import type { ReadScope, BlogStore, BlogTombstone, SlugResolution } from '../port.ts'
import { blogOf, blogsOf, headOf, slugKey, WHOLE, type BlogDocument } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { seenBy } from './seen-by.ts'

/** Who had a slug while it was public, and when it was given up. */
type Leaver = Pick<BlogDocument, '_id' | 'projectId' | 'deleted' | 'head' | 'tombstone' | 'exits'>
interface Exit {
  leaver: Leaver
  leftAt: string
}

const LEAVER = { projectId: 1, deleted: 1, head: 1, tombstone: 1, exits: 1 } as const

/**
 * Whoever gave a slug up last decides; at the same instant one that lives comes before one that was
 * deleted.
 */
function isLater(a: Exit, b: Exit): boolean {
  if (a.leftAt !== b.leftAt) return a.leftAt > b.leftAt
  if (a.leaver.deleted !== b.leaver.deleted) return b.leaver.deleted
  return a.leaver._id > b.leaver._id
}

/** By slug, who gave it up last. */
function lastExits(leavers: Leaver[]): Map<string, Leaver> {
  const last = new Map<string, Exit>()
  for (const leaver of leavers) {
    for (const { slug, leftAt } of leaver.exits) {
      const rival = last.get(slug)
      if (rival === undefined || isLater({ leaver, leftAt }, rival)) last.set(slug, { leaver, leftAt })
    }
  }
  return new Map([...last].map(([slug, { leaver }]) => [slug, leaver]))
}

const isPublic = ({ head }: Pick<BlogDocument, 'head'>): boolean => head?.status === 'published'
const inOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Tells what stands, or stood, behind a slug. */
export function createBlogSlugs(database: Database): Pick<BlogStore, 'resolveSlug' | 'findIdBySlug' | 'redirects'> {
  const blogs = blogsOf(database)

  async function publicBlog(reader: ReadScope, slug: string): Promise<SlugResolution | null> {
    const found = await blogs.findOne(
      { ...seenBy(reader), slugKey: slugKey(reader.accountId, slug), 'head.status': 'published' },
      { projection: WHOLE }
    )
    return found === null ? null : { kind: 'blog', blog: blogOf(found) }
  }

  /** What became of the slug; 'again' when a blog got it in public at this moment. */
  async function left(reader: ReadScope, slug: string): Promise<SlugResolution | null | 'again'> {
    const seen = seenBy(reader)
    // One question about now and before: who asked twice could miss a blog that got its slug back
    // in between.
    const found: Leaver[] = await blogs
      .find(
        {
          $or: [
            { ...seen, slugKey: slugKey(reader.accountId, slug) },
            { ...seen, 'exits.slug': slug }
          ]
        },
        { projection: LEAVER }
      )
      .toArray()
    if (found.some((each) => isPublic(each) && each.head?.slug === slug)) return 'again'
    const last = lastExits(found).get(slug)
    if (last?.deleted === true) return { kind: 'gone', blog: last.tombstone as BlogTombstone }
    return last !== undefined && isPublic(last) ? { kind: 'moved', blog: headOf(last) } : null
  }

  return {
    resolveSlug: (reader, slug) =>
      database.act(async () => {
        for (;;) {
          const answer = (await publicBlog(reader, slug)) ?? (await left(reader, slug))
          if (answer !== 'again') return answer
        }
      }),
    findIdBySlug: async (accountId, slug) =>
      (await database.act(() => blogs.findOne({ slugKey: slugKey(accountId, slug) }, { projection: { _id: 1 } })))
        ?._id ?? null,
    redirects: ({ projectId, ...reader }) =>
      database.act(async () => {
        // What resolveSlug does for one slug, for all of them at once; the project says which
        // targets are asked for, not who decides.
        const seen = seenBy(reader)
        const projection = { projectId: 1, deleted: 1, exits: 1, 'head.slug': 1, 'head.status': 1 } as const
        const leavers: Leaver[] = await blogs.find({ ...seen, 'exits.slug': { $gte: '' } }, { projection }).toArray()
        const moved = [...lastExits(leavers)].filter(
          ([, leaver]) => isPublic(leaver) && (projectId === undefined || leaver.projectId === projectId)
        )
        if (moved.length === 0) return []
        const wanted = moved.map(([slug]) => slugKey(reader.accountId, slug))
        const holders = await blogs
          .find(
            { ...seen, slugKey: { $in: wanted }, 'head.status': 'published' },
            { projection: { _id: 0, 'head.slug': 1 } }
          )
          .toArray()
        const held = new Set(holders.map(({ head }) => head?.slug))
        return moved
          .filter(([slug]) => !held.has(slug))
          .map(([from, leaver]) => ({ from, to: headOf(leaver).slug }))
          .toSorted((a, b) => inOrder(a.from, b.from))
      })
  }
}
