import type { Database } from '../database.ts'
import { readSchemaVersion, SCHEMA_VERSION } from '../schema-version.ts'

/** How long a process believes that the database has an older version. */
const RECHECK_MS = 60_000

const known = new WeakMap<Database, { version: number; checkedMs: number }>()

/** Whether no process that may write to the database is older than this version of the schema. */
export async function isSchemaAtLeast(database: Database, version: number): Promise<boolean> {
  const last = known.get(database)
  const isKnown =
    last !== undefined && (last.version >= SCHEMA_VERSION || performance.now() - last.checkedMs < RECHECK_MS)
  if (isKnown) return last.version >= version
  const stored = (await readSchemaVersion(database)) ?? 0
  known.set(database, { version: stored, checkedMs: performance.now() })
  return stored >= version
}
