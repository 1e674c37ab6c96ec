import type { BlogStore, BlogTombstone } from '../../port.ts'
import type { Database } from '../database.ts'
import { parseRecord, type RecordRow } from '../sql.ts'
import type { StepSizes } from '../steps.ts'
import { createBlogLists } from './list.ts'
import type { BlogPages } from './pages.ts'
import { createBlogQueries } from './queries.ts'
import { createRelatedBlogs } from './related.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'
import { createBlogSlugs } from './slugs.ts'
import { createBlogTranslations } from './translations.ts'
import { createBlogWrites } from './write.ts'

export function createBlogs(db: Database, pages: BlogPages, stepSizes: StepSizes): BlogStore {
  const writes = createBlogWrites(db)
  const lists = createBlogLists(db, pages)
  const queries = createBlogQueries(db, stepSizes)
  const slugs = createBlogSlugs(db)
  const related = createRelatedBlogs(db)
  const translations = createBlogTranslations(db)

  return {
    add: writes.add,
    addMany: writes.addMany,
    save: writes.save,
    delete: writes.delete,
    find: async (accountId, id) => {
      const row = db.one<BlogRow>(
        `SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE b.id = ? AND b.account_id = ?`,
        id,
        accountId
      )
      return row === undefined ? null : toBlog(row)
    },
    findMetadata: async (accountId, id) => {
      const row = db.one<MetadataRow>('SELECT metadata FROM blogs WHERE id = ? AND account_id = ?', id, accountId)
      return row === undefined ? null : toMetadata(row)
    },
    findMetadataById: async (id) => {
      const row = db.one<MetadataRow>('SELECT metadata FROM blogs WHERE id = ?', id)
      return row === undefined ? null : toMetadata(row)
    },
    findTombstone: async (accountId, id) =>
      parseRecord<BlogTombstone>(
        db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ? AND account_id = ?', id, accountId)
      ),
    findPublished: lists.findPublished,
    existsInProject: async (accountId, projectId) =>
      db.one('SELECT n FROM blogs WHERE account_id = ? AND project_id = ? LIMIT 1', accountId, projectId) !== undefined,
    list: lists.list,
    listAfter: lists.listAfter,
    countByLabel: queries.countByLabel,
    findTranslations: translations.findTranslations,
    touchTranslations: translations.touchTranslations,
    removedSince: queries.removedSince,
    dueToPublish: queries.dueToPublish,
    renderedByOtherRules: queries.renderedByOtherRules,
    resolveSlug: slugs.resolveSlug,
    findBySlug: slugs.findBySlug,
    findBySlugs: slugs.findBySlugs,
    redirects: slugs.redirects,
    vectors: related.vectors,
    vectorsOf: related.vectorsOf,
    setRelated: related.setRelated,
    related: related.related,
    pendingRelatedAccounts: related.pendingRelatedAccounts,
    pendingRelated: related.pendingRelated,
    clearPendingRelated: related.clearPendingRelated
  }
}
