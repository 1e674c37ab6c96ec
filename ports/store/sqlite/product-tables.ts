/**
 * The tables of products and imports. The row of a product is narrow, so that what looks through
 * many of them reads little; what is bulky stands apart.
 * What moves without the rest (version, status, marks of work) stands in columns alone, so that
 * many products are marked without reading one.
 * Most of what writing costs is index pages, so the entries are kept short: a project is a number
 * there, and a title is the beginning of its digest.
 */
export const PRODUCT_TABLES = `
CREATE TABLE product_places (place INTEGER PRIMARY KEY, account_id TEXT NOT NULL, project_id TEXT NOT NULL);
CREATE UNIQUE INDEX product_places_by_name ON product_places (account_id, project_id);

CREATE TABLE products (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  place INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  title_key INTEGER NOT NULL,
  sku TEXT,
  category TEXT,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  optimized_from TEXT,
  optimize_due TEXT,
  picture_due TEXT,
  told TEXT,
  untold_at TEXT,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX products_by_external_id ON products (place, external_id);
CREATE INDEX products_by_title ON products (place, title_key);
CREATE INDEX products_by_sku ON products (place, sku) WHERE sku IS NOT NULL;
CREATE INDEX products_by_category ON products (place, category) WHERE category IS NOT NULL;
CREATE INDEX products_by_status ON products (place, status);
CREATE INDEX products_by_update ON products (place, updated_at);
-- Only what waits is in these, so that they are small however many products are idle.
CREATE INDEX products_to_optimize ON products (place, optimize_due, id) WHERE optimize_due IS NOT NULL;
CREATE INDEX products_to_picture ON products (place, picture_due, id) WHERE picture_due IS NOT NULL;
CREATE INDEX products_to_tell ON products (place, untold_at, id) WHERE untold_at IS NOT NULL;

CREATE TABLE product_records (n INTEGER PRIMARY KEY REFERENCES products ON DELETE CASCADE, record TEXT NOT NULL, claims TEXT NOT NULL, terms TEXT NOT NULL);

CREATE TABLE product_claims (place INTEGER NOT NULL, claim TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (place, claim)) WITHOUT ROWID;

-- The words of products, and their place (see products-words.ts).
CREATE VIRTUAL TABLE product_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = ascii);

CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX imports_of_account ON imports (account_id, created_at DESC, id DESC, project_id);
CREATE INDEX imports_of_project ON imports (account_id, project_id, created_at DESC, id DESC);
CREATE INDEX imports_unfinished ON imports (created_at, id, account_id) WHERE status IN ('queued', 'running');
CREATE INDEX imports_finished ON imports (finished_at, id, account_id) WHERE finished_at IS NOT NULL;

-- A row of a file may be long, so that it does not stand in the index.
CREATE TABLE import_errors (import_id TEXT NOT NULL, line INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (import_id, line))`
