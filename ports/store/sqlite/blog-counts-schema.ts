/*
 * Counts of blogs, so that no list has to count its matches. Triggers change them in the transaction of the write, so
 * that they are always exact: see `storage-schema.ts`. Rows whose count is 0 are deleted.
 *
 * `project_id` is '' for all projects of the account.
 */

/**
 * The beginnings of times for which there are counts, in characters: month, day, ten minutes, second. A count since a
 * time adds at most the months, 31 days, 144 parts of a day and 600 seconds, and counts blogs of one second only.
 */
export const BUCKET_LENGTHS = [7, 10, 15, 19] as const

type Row = 'NEW' | 'OLD'

const TABLES = `
-- By label and locale. \`kind\`: all (without a label), category, tag, author. The key is the folded label.
CREATE TABLE blog_counts (
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  label_key TEXT NOT NULL,
  locale TEXT NOT NULL,
  label TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id, kind, status, label_key, locale, label)
) WITHOUT ROWID;
CREATE TRIGGER blog_counts_zero AFTER UPDATE ON blog_counts WHEN NEW.count = 0 BEGIN
  DELETE FROM blog_counts WHERE account_id = NEW.account_id AND project_id = NEW.project_id AND kind = NEW.kind
    AND status = NEW.status AND label_key = NEW.label_key AND locale = NEW.locale AND label = NEW.label;
END;

-- By time. \`kind\`: updated, published. \`start\`: the first \`length\` characters of the time.
CREATE TABLE blog_times (
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  length INTEGER NOT NULL,
  start TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id, kind, status, length, start)
) WITHOUT ROWID;
CREATE TRIGGER blog_times_zero AFTER UPDATE ON blog_times WHEN NEW.count = 0 BEGIN
  DELETE FROM blog_times WHERE account_id = NEW.account_id AND project_id = NEW.project_id AND kind = NEW.kind
    AND status = NEW.status AND length = NEW.length AND start = NEW.start;
END;
`

const ADD = 'ON CONFLICT DO UPDATE SET count = count + excluded.count;'
const sign = (row: Row): string => (row === 'NEW' ? '1' : '-1')
const scopes = (row: string): string => `(SELECT '' AS project UNION ALL SELECT ${row}.project_id)`
const LENGTHS = `(${BUCKET_LENGTHS.map((length) => `SELECT ${length} AS length`).join(' UNION ALL ')})`

/** Adds a blog, without its tags and authors, or with OLD removes it. */
const countBlog = (row: Row): string => `
  INSERT INTO blog_counts
    SELECT ${row}.account_id, project, kind, ${row}.status, label_key, ${row}.locale, label, ${sign(row)}
    FROM ${scopes(row)}, (
      SELECT 'all' AS kind, '' AS label_key, '' AS label
      UNION ALL SELECT 'category', ${row}.category_key, ${row}.category WHERE ${row}.category_key IS NOT NULL
    ) WHERE true ${ADD}`

/** Adds the tags and authors that are stored of a blog, or with OLD removes them. */
const countLabels = (row: Row): string => `
  INSERT INTO blog_counts
    SELECT ${row}.account_id, project, l.kind, ${row}.status, l.label_key, ${row}.locale, l.label, ${sign(row)}
    FROM blog_labels l, ${scopes(row)} WHERE l.n = ${row}.n ${ADD}`

/** Adds a tag or an author, or with OLD removes it. A blog that is being deleted has no row any more. */
const countLabel = (row: Row): string => `
  INSERT INTO blog_counts
    SELECT b.account_id, iif(s.part = 0, '', b.project_id), ${row}.kind, b.status, ${row}.label_key, b.locale,
      ${row}.label, ${sign(row)}
    FROM blogs b, (SELECT 0 AS part UNION ALL SELECT 1) s WHERE b.n = ${row}.n ${ADD}`

const countTime = (row: Row, kind: 'updated' | 'published'): string => `
  INSERT INTO blog_times
    SELECT ${row}.account_id, project, '${kind}', ${row}.status, length, substr(${row}.${kind}_at, 1, length),
      ${sign(row)}
    FROM ${scopes(row)}, ${LENGTHS} WHERE ${row}.${kind}_at IS NOT NULL ${ADD}`

const changed = (columns: string[]): string =>
  columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')

const TRIGGERS = `
CREATE TRIGGER blog_counts_added AFTER INSERT ON blogs BEGIN
  ${countBlog('NEW')} ${countTime('NEW', 'updated')} ${countTime('NEW', 'published')}
END;
CREATE TRIGGER blog_counts_deleted BEFORE DELETE ON blogs BEGIN
  ${countBlog('OLD')} ${countLabels('OLD')} ${countTime('OLD', 'updated')} ${countTime('OLD', 'published')}
END;
CREATE TRIGGER blog_counts_changed AFTER UPDATE OF project_id, status, category, category_key, locale ON blogs
WHEN ${changed(['project_id', 'status', 'category', 'category_key', 'locale'])} BEGIN
  ${countBlog('OLD')} ${countBlog('NEW')}
END;
CREATE TRIGGER blog_counts_labels_moved AFTER UPDATE OF project_id, status, locale ON blogs
WHEN ${changed(['project_id', 'status', 'locale'])} BEGIN
  ${countLabels('OLD')} ${countLabels('NEW')}
END;
CREATE TRIGGER blog_counts_updated AFTER UPDATE OF project_id, status, updated_at ON blogs
WHEN ${changed(['project_id', 'status', 'updated_at'])} BEGIN
  ${countTime('OLD', 'updated')} ${countTime('NEW', 'updated')}
END;
CREATE TRIGGER blog_counts_published AFTER UPDATE OF project_id, status, published_at ON blogs
WHEN ${changed(['project_id', 'status', 'published_at'])} BEGIN
  ${countTime('OLD', 'published')} ${countTime('NEW', 'published')}
END;
CREATE TRIGGER blog_counts_label_added AFTER INSERT ON blog_labels BEGIN ${countLabel('NEW')} END;
CREATE TRIGGER blog_counts_label_deleted AFTER DELETE ON blog_labels BEGIN ${countLabel('OLD')} END;
`

/** Counts the blogs that are stored already. */
const FILL = `
INSERT INTO blog_counts
  SELECT account_id, project, kind, status, label_key, locale, label, count(*) FROM (
    SELECT account_id, '' AS project, 'all' AS kind, status, '' AS label_key, locale, '' AS label FROM blogs
    UNION ALL SELECT account_id, project_id, 'all', status, '', locale, '' FROM blogs
    UNION ALL SELECT account_id, '', 'category', status, category_key, locale, category FROM blogs
      WHERE category_key IS NOT NULL
    UNION ALL SELECT account_id, project_id, 'category', status, category_key, locale, category FROM blogs
      WHERE category_key IS NOT NULL
    UNION ALL SELECT b.account_id, '', l.kind, b.status, l.label_key, b.locale, l.label
      FROM blog_labels l JOIN blogs b USING (n)
    UNION ALL SELECT b.account_id, b.project_id, l.kind, b.status, l.label_key, b.locale, l.label
      FROM blog_labels l JOIN blogs b USING (n)
  ) GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO blog_times
  SELECT account_id, project, kind, status, length, substr(at, 1, length), count(*) FROM (
    SELECT account_id, '' AS project, 'updated' AS kind, status, updated_at AS at FROM blogs
    UNION ALL SELECT account_id, project_id, 'updated', status, updated_at FROM blogs
    UNION ALL SELECT account_id, '', 'published', status, published_at FROM blogs WHERE published_at IS NOT NULL
    UNION ALL SELECT account_id, project_id, 'published', status, published_at FROM blogs WHERE published_at IS NOT NULL
  ), ${LENGTHS} GROUP BY 1, 2, 3, 4, 5, 6;
`

/** The counts, from existing blogs, and the triggers that change them. */
export const BLOG_COUNTS_SCHEMA = `${TABLES}${FILL}${TRIGGERS}`
