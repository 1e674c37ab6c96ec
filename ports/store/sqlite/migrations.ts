import type { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../../errors.ts'
import { AUDIT_SCHEMA } from './audit.ts'
import { BLOG_COUNTS_SCHEMA } from './blog-counts-schema.ts'
import { BLOG_DEPARTURES_SCHEMA } from './blog-departures-schema.ts'
import { BLOG_TIMES_SCHEMA } from './blog-times-schema.ts'
import { GENERATED_FILES_SCHEMA } from './generated-files.ts'
import { IDEMPOTENCY_SCHEMA } from './idempotency.ts'
import { PRODUCT_COUNTS_SCHEMA } from './product-counts-schema.ts'
import { RELATED_INDEX_SCHEMA } from './related-index-schema.ts'
import { RELATED_TERMS_SCHEMA } from './related-terms-schema.ts'
import { REVISION_DELETIONS_SCHEMA, REVISIONS_SCHEMA } from './revisions-schema.ts'
import { SCHEMA_1, SCHEMA_2, SCHEMA_5, SCHEMA_6, SCHEMA_8 } from './schema.ts'
import { SEARCH_SCHEMA } from './search-schema.ts'
import { PRODUCT_SEGMENTS_SCHEMA, RELATED_SEGMENTS_SCHEMA, SEARCH_SEGMENTS_SCHEMA } from './search-segments.ts'
import { RESPONSE_STORAGE_SCHEMA } from './storage-schema.ts'

const METADATA = 'CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID'

/**
 * The migrations from an empty file to the current schema. Never change a migration that has been
 * released: append a new one.
 */
const MIGRATIONS: readonly string[] = [
  SCHEMA_1,
  METADATA,
  SCHEMA_2,
  SEARCH_SCHEMA,
  SCHEMA_5,
  SCHEMA_6,
  RELATED_INDEX_SCHEMA,
  SCHEMA_8,
  REVISIONS_SCHEMA,
  AUDIT_SCHEMA,
  RESPONSE_STORAGE_SCHEMA,
  IDEMPOTENCY_SCHEMA,
  BLOG_COUNTS_SCHEMA,
  PRODUCT_COUNTS_SCHEMA,
  // Claims are in memory (temporary-schema.ts).
  'DROP TABLE IF EXISTS delivery_leases',
  BLOG_TIMES_SCHEMA,
  RELATED_TERMS_SCHEMA,
  // A slug may have been given up by any number of blogs: the last of each project is read without the others.
  `CREATE INDEX former_slugs_by_project ON former_slugs
   (account_id, slug, project_id, left_at DESC, deleted, blog_id DESC)`,
  BLOG_DEPARTURES_SCHEMA,
  SEARCH_SEGMENTS_SCHEMA,
  RELATED_SEGMENTS_SCHEMA,
  PRODUCT_SEGMENTS_SCHEMA,
  GENERATED_FILES_SCHEMA,
  REVISION_DELETIONS_SCHEMA,
  // Leases, too.
  'DROP TABLE IF EXISTS leases'
]

/**
 * Applies the migrations that the file has not had yet, each in a transaction. `user_version`
 * counts the applied ones. Throws StartError for a file of a newer version.
 */
export function migrate(file: DatabaseSync): void {
  const applied = Number(file.prepare('PRAGMA user_version').get()?.user_version)
  if (applied > MIGRATIONS.length) {
    throw new StartError(
      `The store was written by a newer version of this service (schema ${applied}; this version supports ` +
        `${MIGRATIONS.length}). Start that version or a newer one.`
    )
  }
  allowSchemaChanges(file, true)
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index >= applied) file.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
  allowSchemaChanges(file, false)
}

/** Whether statements may change the stored definitions of tables. Node.js forbids it by default since 25.5. */
function allowSchemaChanges(file: Partial<Pick<DatabaseSync, 'enableDefensive'>>, areAllowed: boolean): void {
  file.enableDefensive?.(!areAllowed)
}
