import type { BlogStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { createBlogLists } from './list.ts'
import { createBlogOverviews, createBlogReads, createRelatedEntries } from './read.ts'
import { createBlogSlugs } from './slugs.ts'
import { createBlogTranslations } from './translations.ts'
import { createBlogWrites } from './write.ts'

export function createBlogs(database: Database): BlogStore {
  const writes = createBlogWrites(database)
  const reads = createBlogReads(database)
  const lists = createBlogLists(database)
  const slugs = createBlogSlugs(database)
  const overviews = createBlogOverviews(database)
  const related = createRelatedEntries(database)
  const translations = createBlogTranslations(database)

  return {
    add: writes.add,
    addMany: writes.addMany,
    save: writes.save,
    delete: writes.delete,
    find: reads.find,
    findMetadata: reads.findMetadata,
    findMetadataById: reads.findMetadataById,
    findTombstone: reads.findTombstone,
    findPublished: reads.findPublished,
    existsInProject: reads.existsInProject,
    list: lists.list,
    listAfter: lists.listAfter,
    resolveSlug: slugs.resolveSlug,
    findBySlug: slugs.findBySlug,
    findBySlugs: slugs.findBySlugs,
    redirects: slugs.redirects,
    countByLabel: overviews.countByLabel,
    findTranslations: translations.findTranslations,
    touchTranslations: translations.touchTranslations,
    removedSince: overviews.removedSince,
    dueToPublish: overviews.dueToPublish,
    renderedByOtherRules: overviews.renderedByOtherRules,
    vectors: related.vectors,
    vectorsOf: related.vectorsOf,
    setRelated: related.setRelated,
    related: related.related,
    pendingRelatedAccounts: related.pendingRelatedAccounts,
    pendingRelated: related.pendingRelated,
    clearPendingRelated: related.clearPendingRelated
  }
}
