import { BUCKET_LENGTHS } from './blog-counts-schema.ts'

/*
 * Counts of blogs by time, like those of `blog-counts-schema.ts`, but also by locale, and for all blogs and those of
 * each category. A blog has one locale and at most one category, so that it is in few rows. They replace the counts by
 * time alone, which were computed from the same blogs.
 */

type Row = 'NEW' | 'OLD'
type Kind = 'updated' | 'published'

/** Precedes the key of a category. The counts of all blogs have ''. */
export const CATEGORY_MARK = '='

const TABLE = `
DROP TRIGGER blog_counts_updated;
DROP TRIGGER blog_counts_published;
DROP TRIGGER blog_counts_added;
DROP TRIGGER blog_counts_deleted;
DROP TABLE blog_times;

-- \`kind\`: updated, published. \`start\`: the first \`length\` characters of the time.
CREATE TABLE blog_times (
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  category TEXT NOT NULL,
  length INTEGER NOT NULL,
  start TEXT NOT NULL,
  locale TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id, kind, status, category, length, start, locale)
) WITHOUT ROWID;
CREATE TRIGGER blog_times_zero AFTER UPDATE ON blog_times WHEN NEW.count = 0 BEGIN
  DELETE FROM blog_times WHERE account_id = NEW.account_id AND project_id = NEW.project_id AND kind = NEW.kind
    AND status = NEW.status AND category = NEW.category AND length = NEW.length AND start = NEW.start
    AND locale = NEW.locale;
END;

-- What filters compare. The rows of blogs are wide, so that reading thousands of them takes longer.
CREATE INDEX blogs_facts ON blogs (
  n, account_id, status, project_id, locale, language, category_key, updated_at, published_at
);
`

const ADD = 'ON CONFLICT DO UPDATE SET count = count + excluded.count;'
const sign = (row: Row): string => (row === 'NEW' ? '1' : '-1')
const LENGTHS = `(${BUCKET_LENGTHS.map((length) => `SELECT ${length} AS length`).join(' UNION ALL ')})`
const scopes = (row: string): string => `(SELECT '' AS project UNION ALL SELECT ${row}.project_id)`
const categories = (row: string): string => `(
  SELECT '' AS in_category UNION ALL SELECT '${CATEGORY_MARK}' || ${row}.category_key
  WHERE ${row}.category_key IS NOT NULL
)`

/** Adds a blog, or with OLD removes it. */
const countTime = (row: Row, kind: Kind): string => `
  INSERT INTO blog_times
    SELECT ${row}.account_id, project, '${kind}', ${row}.status, in_category, length,
      substr(${row}.${kind}_at, 1, length), ${row}.locale, ${sign(row)}
    FROM ${scopes(row)}, ${categories(row)}, ${LENGTHS} WHERE ${row}.${kind}_at IS NOT NULL ${ADD}`

/** Adds a blog without its tags and authors, or with OLD removes it. */
const countBlog = (row: Row): string => `
  INSERT INTO blog_counts
    SELECT ${row}.account_id, project, kind, ${row}.status, label_key, ${row}.locale, label, ${sign(row)}
    FROM ${scopes(row)}, (
      SELECT 'all' AS kind, '' AS label_key, '' AS label
      UNION ALL SELECT 'category', ${row}.category_key, ${row}.category WHERE ${row}.category_key IS NOT NULL
    ) WHERE true ${ADD}`

const trigger = (kind: Kind): string => {
  const columns = ['project_id', 'status', 'category_key', 'locale', `${kind}_at`]
  return `
CREATE TRIGGER blog_times_${kind} AFTER UPDATE OF ${columns.join(', ')} ON blogs
WHEN ${columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')} BEGIN
  ${countTime('OLD', kind)} ${countTime('NEW', kind)}
END;
CREATE TRIGGER blog_times_${kind}_added AFTER INSERT ON blogs BEGIN ${countTime('NEW', kind)} END;
CREATE TRIGGER blog_times_${kind}_deleted BEFORE DELETE ON blogs BEGIN ${countTime('OLD', kind)} END;
`
}

const TRIGGERS = `
${trigger('updated')}
${trigger('published')}
CREATE TRIGGER blog_counts_added AFTER INSERT ON blogs BEGIN ${countBlog('NEW')} END;
CREATE TRIGGER blog_counts_deleted BEFORE DELETE ON blogs BEGIN
  ${countBlog('OLD')}
  INSERT INTO blog_counts
    SELECT OLD.account_id, project, l.kind, OLD.status, l.label_key, OLD.locale, l.label, -1
    FROM blog_labels l, ${scopes('OLD')} WHERE l.n = OLD.n ${ADD}
END;
`

/** Counts the blogs that are stored already. */
const fill = (kind: Kind): string => `
INSERT INTO blog_times
  SELECT account_id, project, '${kind}', status, in_category, length, substr(at, 1, length), locale, count(*) FROM (
    SELECT account_id, status, locale, ${kind}_at AS at, '' AS project, '' AS in_category FROM blogs
    UNION ALL SELECT account_id, status, locale, ${kind}_at, project_id, '' FROM blogs
    UNION ALL SELECT account_id, status, locale, ${kind}_at, '', '${CATEGORY_MARK}' || category_key FROM blogs
      WHERE category_key IS NOT NULL
    UNION ALL SELECT account_id, status, locale, ${kind}_at, project_id, '${CATEGORY_MARK}' || category_key FROM blogs
      WHERE category_key IS NOT NULL
  ), ${LENGTHS} WHERE at IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
`

/** The counts, from existing blogs, and the triggers that change them. */
export const BLOG_TIMES_SCHEMA = `${TABLE}${fill('updated')}${fill('published')}${TRIGGERS}`
