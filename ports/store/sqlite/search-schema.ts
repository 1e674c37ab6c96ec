/** The terms of a JSON array as encoded by search.ts, in the partition of column `partition`. */
const encoded = (terms: string) =>
  `(SELECT group_concat(printf('%08x', partition) || lower(hex(CAST(value AS BLOB))), ' ') FROM json_each(${terms}))`
/** Groups rows of `sized` into partitions: each has rows of one owner with about 40,000 terms. */
const partitions = (owner: string) => `
  (SELECT *, dense_rank() OVER (ORDER BY ${owner}, part) AS partition FROM (
    SELECT *, (sum(size) OVER (PARTITION BY ${owner} ORDER BY n) - size) / 40000 AS part FROM sized
  ))`

/*
 * The search indexes with their partitions: see search.ts. `search_partition` and `search_terms` are the
 * place of a row.
 */
export const SEARCH_SCHEMA = `
DROP TABLE product_search;
CREATE VIRTUAL TABLE product_search USING fts5 (
  terms,
  content = '', contentless_delete = 1, detail = none, tokenize = ascii
);
CREATE TABLE product_search_partitions (n INTEGER PRIMARY KEY, project_n INTEGER NOT NULL, terms INTEGER NOT NULL);
CREATE INDEX product_search_partitions_of_project ON product_search_partitions (project_n);
ALTER TABLE product_records ADD COLUMN search_partition INTEGER;
ALTER TABLE product_records ADD COLUMN search_terms INTEGER;

-- With the eight digits of the partition, these are the prefixes of one to three ASCII letters. A blog has
-- many terms: without these indexes, the search for a letter in 10,000 blogs takes three times as long.
DROP TABLE blog_search;
CREATE VIRTUAL TABLE blog_search USING fts5 (
  title, text,
  content = '', contentless_delete = 1, detail = column, tokenize = ascii, prefix = '10 12 14'
);
CREATE TABLE blog_search_partitions (n INTEGER PRIMARY KEY, account_id TEXT NOT NULL, terms INTEGER NOT NULL);
CREATE INDEX blog_search_partitions_of_account ON blog_search_partitions (account_id);
ALTER TABLE blogs ADD COLUMN search_partition INTEGER;
ALTER TABLE blogs ADD COLUMN search_terms INTEGER;

-- Products of one title are read in order of id, however many there are.
DROP INDEX products_by_title;
CREATE INDEX products_by_title ON products (project_n, title_key, id);

CREATE TABLE placed_rows AS
  WITH sized AS (
    SELECT r.n, p.project_n AS owner, json_array_length(r.terms) + 1 AS size
    FROM product_records r JOIN products p USING (n)
  )
  SELECT n, owner, size, partition FROM ${partitions('owner')};
CREATE UNIQUE INDEX placed_rows_by_n ON placed_rows (n);
INSERT INTO product_search_partitions (n, project_n, terms)
  SELECT partition, owner, sum(size) FROM placed_rows GROUP BY partition, owner;
UPDATE product_records SET (search_partition, search_terms) = (
  SELECT partition, size FROM placed_rows l WHERE l.n = product_records.n
);
INSERT INTO product_search (rowid, terms)
  SELECT n, ${encoded('r.terms')} FROM product_records r JOIN placed_rows USING (n);
DROP TABLE placed_rows;

CREATE TABLE placed_rows AS
  WITH sized AS (
    SELECT b.n, b.account_id AS owner,
      json_array_length(body, '$.titleTerms') + json_array_length(body, '$.textTerms') + 1 AS size
    FROM blogs b JOIN blog_bodies USING (n)
  )
  SELECT n, owner, size, partition FROM ${partitions('owner')};
CREATE UNIQUE INDEX placed_rows_by_n ON placed_rows (n);
INSERT INTO blog_search_partitions (n, account_id, terms)
  SELECT partition, owner, sum(size) FROM placed_rows GROUP BY partition, owner;
UPDATE blogs SET (search_partition, search_terms) = (SELECT partition, size FROM placed_rows l WHERE l.n = blogs.n);
INSERT INTO blog_search (rowid, title, text)
  SELECT n, ${encoded("body ->> '$.titleTerms'")}, ${encoded("body ->> '$.textTerms'")}
  FROM blog_bodies JOIN placed_rows USING (n);
DROP TABLE placed_rows;
`
