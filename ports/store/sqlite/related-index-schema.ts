/*
 * The index of related blogs, which is derived from published blogs. An entry outlives its blog until the
 * index is updated, so it has an id instead of a reference.
 */
export const RELATED_INDEX_SCHEMA = `
-- The version and the progress of the index of an account.
CREATE TABLE related_indexes (account_id TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE related_groups (
  n INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  language TEXT NOT NULL,
  blogs INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  computed INTEGER NOT NULL
);
CREATE UNIQUE INDEX related_groups_by_id ON related_groups (account_id, project_id, language);
CREATE INDEX related_groups_pending ON related_groups (account_id) WHERE computed < changes;

CREATE TABLE related_entries (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  group_n INTEGER NOT NULL,
  computed_at INTEGER NOT NULL,
  length REAL NOT NULL,
  threshold REAL NOT NULL,
  locale TEXT NOT NULL,
  published_at TEXT,
  terms BLOB NOT NULL,
  neighbors TEXT NOT NULL
);
CREATE INDEX related_entries_by_age ON related_entries (group_n, computed_at, id);

-- Which entries have a term, and how many.
CREATE TABLE related_terms (
  group_n INTEGER NOT NULL,
  term INTEGER NOT NULL,
  entry_n INTEGER NOT NULL,
  PRIMARY KEY (group_n, term, entry_n)
) WITHOUT ROWID;
CREATE TABLE related_term_counts (
  group_n INTEGER NOT NULL,
  term INTEGER NOT NULL,
  blogs INTEGER NOT NULL,
  PRIMARY KEY (group_n, term)
) WITHOUT ROWID;
`
