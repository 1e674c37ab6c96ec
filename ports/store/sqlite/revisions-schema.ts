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
