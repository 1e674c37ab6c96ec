import type { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../../errors.ts'
import { PRODUCT_TABLES } from './product-tables.ts'
import { FIRST_TABLES } from './tables.ts'
import { VISUAL_CHECK_TABLES } from './visual-check-tables.ts'
import { WEBHOOK_TABLES } from './webhook-tables.ts'

/** Writes of blogs after which related entries are to be worked out again. */
const RELATED_MARKS =
  'CREATE TABLE related_marks (account_id TEXT NOT NULL, blog_id TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (account_id, blog_id)) WITHOUT ROWID'

/** Who may do what only one may do at a time. */
const LEASES =
  'CREATE TABLE leases (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until TEXT NOT NULL) WITHOUT ROWID'

/**
 * The steps that lead from an empty file to the tables of today. A step that was released is never
 * changed: a new one is added.
 */
const STEPS: readonly string[] = [
  FIRST_TABLES,
  `${PRODUCT_TABLES};\n${WEBHOOK_TABLES}`,
  RELATED_MARKS,
  LEASES,
  VISUAL_CHECK_TABLES
]

/**
 * Does the steps that the file has not seen (`user_version` counts them), each whole or not at all.
 * Throws StartError for a file of a newer version.
 */
export function migrate(file: DatabaseSync): void {
  const done = Number(file.prepare('PRAGMA user_version').get()?.user_version)
  if (done > STEPS.length) {
    throw new StartError(
      `The store was written by a newer version (${done}; this one knows ${STEPS.length}): start that version, or a newer one.`
    )
  }
  for (const [index, step] of STEPS.entries()) {
    if (index >= done) file.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
