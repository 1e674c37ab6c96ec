import type { BlogVector, IndexedBlog, RelatedEntry } from '../../../ports/store/port.ts'
import { candidatesOf, rankCandidates } from './ranking.ts'
import { toIndexedBlog } from './terms.ts'
import { neighborsOfAll } from './whole-group.ts'
export { createVector, type VectorSource } from './vector.ts'

/** The related blogs of one blog, as stored. */
export interface RelatedList {
  id: string
  related: RelatedEntry[]
}

/** The lists of all blogs of one group, ordered by id. For small groups: see `neighborsOfAll`. */
export function relatedInGroup(blogs: IndexedBlog[]): RelatedList[] {
  const members = neighborsOfAll(blogs)
  return blogs
    .map(({ id }) => {
      const blog = members.get(id)!
      return { id, related: rankCandidates(blog, candidatesOf(blog, members), members) }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The lists of all blogs, ordered by id: related blogs are of the same project and language. This is what
 * the index approximates for large groups. Ids must be unique. The order of the input does not matter.
 */
export function allRelated(vectors: BlogVector[]): RelatedList[] {
  const blogs = vectors.map((vector) => toIndexedBlog('', vector))
  const groups = Map.groupBy(blogs, ({ group }) => `${group.projectId} ${group.language}`)
  return [...groups.values()].flatMap(relatedInGroup).sort((a, b) => (a.id < b.id ? -1 : 1))
}
