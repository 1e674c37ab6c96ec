import type { BlogStore } from '../port.ts'
import { createBlogLists } from './blogs-list.ts'
import { createBlogOverviews } from './blogs-overview.ts'
import { createBlogReads } from './blogs-read.ts'
import { createBlogRelations } from './blogs-related.ts'
import { createBlogSlugs } from './blogs-slugs.ts'
import { createBlogWrites } from './blogs-write.ts'
import type { Database } from './database.ts'

/** Keeps blogs. */
export function createBlogs(database: Database): BlogStore {
  return {
    ...createBlogWrites(database),
    ...createBlogReads(database),
    ...createBlogLists(database),
    ...createBlogSlugs(database),
    ...createBlogOverviews(database),
    ...createBlogRelations(database)
  }
}
