/*
 * The terms of the index of related blogs in a full-text index instead of a table: see `related-terms.ts`. A token has
 * eight digits for the group and eight for the term.
 */
export const RELATED_TERMS_SCHEMA = `
CREATE VIRTUAL TABLE related_search USING fts5 (
  terms,
  content = '', contentless_delete = 1, detail = none, tokenize = ascii
);
INSERT INTO related_search (rowid, terms)
  SELECT entry_n, group_concat(printf('%08x%08x', group_n, term & 0xffffffff), ' ')
  FROM related_terms GROUP BY entry_n;
DROP TABLE related_terms;

-- Whether related_term_counts has the terms of an entry.
ALTER TABLE related_entries ADD COLUMN counted INTEGER NOT NULL DEFAULT 1;
CREATE INDEX related_entries_uncounted ON related_entries (group_n) WHERE counted = 0;
`
