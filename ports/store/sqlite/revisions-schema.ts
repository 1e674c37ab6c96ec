import { trigger } from './storage-schema.ts'

const bytes = (row: string) => `octet_length(${row}.record) + octet_length(${row}.content)`

/**
 * Earlier revisions of blogs. `record` comes before `content`, so that lists do not read the content.
 * Triggers count them as storage of blogs.
 */
export const REVISIONS_SCHEMA = `
CREATE TABLE blog_revisions (
  blog_id TEXT NOT NULL REFERENCES blogs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  record TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (blog_id, number)
);
${trigger('revision_added', 'AFTER INSERT ON blog_revisions', {
  kind: 'blogs',
  account: 'NEW.account_id',
  bytes: bytes('NEW')
})}
${trigger('revision_deleted', 'AFTER DELETE ON blog_revisions', {
  kind: 'blogs',
  account: 'OLD.account_id',
  bytes: `-(${bytes('OLD')})`
})}
`

/**
 * Revisions are no longer deleted by the statement that deletes their blog: 500 of 700 KB took 0.2 s. The blog is
 * noted instead, and they are deleted in steps. The content of the table stays as it is, so its definition is
 * changed where it is stored, as SQLite describes for constraints (https://sqlite.org/lang_altertable.html, 7).
 */
export const REVISION_DELETIONS_SCHEMA = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES blogs (id) ON DELETE CASCADE', '')
WHERE type = 'table' AND name = 'blog_revisions';
PRAGMA writable_schema = RESET;
CREATE TABLE revision_deletions (blog_id TEXT PRIMARY KEY, account_id TEXT NOT NULL) WITHOUT ROWID`
