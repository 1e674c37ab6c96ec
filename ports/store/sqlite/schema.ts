import { STORAGE_SCHEMA } from './storage-schema.ts'

/*
 * Conventions: a record is stored as JSON in `record`, next to the columns that queries filter or
 * sort by. `n` is a row number that other tables refer to. Text compares by its UTF-8 bytes, which
 * is by code point. Times are RFC 3339 text.
 */

const ACCOUNTS = `
CREATE TABLE accounts (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE projects (
  account_id TEXT NOT NULL,
  id TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at, id);

CREATE TABLE idempotency (
  scope TEXT PRIMARY KEY,
  body_hash TEXT NOT NULL,
  claimed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  response TEXT
) WITHOUT ROWID;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE usage (
  account_id TEXT NOT NULL,
  hour TEXT NOT NULL,
  requests INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (account_id, hour)
) WITHOUT ROWID;

CREATE TABLE leases (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until TEXT NOT NULL) WITHOUT ROWID;
`

const BLOGS = `
CREATE TABLE blogs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL,
  category TEXT,
  category_key TEXT,
  locale TEXT NOT NULL,
  language TEXT NOT NULL,
  title_key TEXT NOT NULL,
  translation_key TEXT,
  hreflang TEXT NOT NULL,
  published_at TEXT,
  publish_at TEXT,
  updated_at TEXT NOT NULL,
  withdrawn_at TEXT,
  rules_version TEXT NOT NULL,
  metadata TEXT NOT NULL
);
CREATE UNIQUE INDEX blogs_by_slug ON blogs (account_id, slug, project_id);
CREATE INDEX blogs_listed ON blogs (account_id, status, published_at DESC, id DESC);
CREATE INDEX blogs_of_any_status ON blogs (account_id, published_at DESC, id DESC);
CREATE INDEX blogs_by_project ON blogs (account_id, project_id, status, published_at DESC, id DESC, language);
CREATE INDEX blogs_by_category
  ON blogs (account_id, category_key, status, published_at DESC, id DESC, project_id, locale, category);
CREATE INDEX blogs_by_locale ON blogs (account_id, locale, status, published_at DESC, id DESC);
CREATE INDEX blogs_by_update ON blogs (account_id, status, updated_at, id, project_id);
CREATE INDEX blogs_by_title ON blogs (account_id, status, title_key, id, project_id);
CREATE INDEX blogs_by_schedule ON blogs (account_id, status, publish_at, id, project_id);
CREATE INDEX blogs_of_any_status_by_update ON blogs (account_id, updated_at, id, project_id);
CREATE INDEX blogs_of_any_status_by_title ON blogs (account_id, title_key, id, project_id);
CREATE UNIQUE INDEX blogs_by_translation
  ON blogs (account_id, translation_key, project_id, hreflang) WHERE translation_key IS NOT NULL;
CREATE INDEX blogs_by_id ON blogs (account_id, status, id);
CREATE INDEX blogs_by_rules ON blogs (id, rules_version, account_id);
CREATE INDEX blogs_due ON blogs (publish_at, id, account_id) WHERE status = 'scheduled';
CREATE INDEX blogs_withdrawn ON blogs (account_id, withdrawn_at) WHERE withdrawn_at IS NOT NULL;

-- Large values have tables of their own, so that lists do not read them.
CREATE TABLE blog_bodies (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, body TEXT NOT NULL);
CREATE TABLE blog_vectors (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, vector TEXT NOT NULL);
CREATE TABLE blog_related (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, related TEXT NOT NULL);

-- Writes of blogs after which related blogs must be recomputed.
CREATE TABLE pending_related (
  account_id TEXT NOT NULL,
  blog_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (account_id, blog_id)
) WITHOUT ROWID;

-- Tags and authors. The key is the folded label.
CREATE TABLE blog_labels (
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  label_key TEXT NOT NULL,
  n INTEGER NOT NULL REFERENCES blogs ON DELETE CASCADE,
  label TEXT NOT NULL,
  PRIMARY KEY (account_id, kind, label_key, n)
) WITHOUT ROWID;
CREATE INDEX blog_labels_of_blog ON blog_labels (n);

-- Terms are encoded (see search.ts), so that prefixes of 2, 4 and 6 digits are those of one to three
-- ASCII letters. Without these indexes, a search for one letter merges the lists of half of all terms.
CREATE VIRTUAL TABLE blog_search USING fts5 (
  account, title, text,
  content = '', contentless_delete = 1, detail = column, tokenize = ascii, prefix = '2 4 6'
);

CREATE TABLE tombstones (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  was_public INTEGER NOT NULL,
  deleted_at TEXT NOT NULL,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tombstones_public ON tombstones (account_id, deleted_at) WHERE was_public = 1;

-- Slugs that a blog had while it was public and then gave up. \`deleted\` is 1 for a deleted blog.
CREATE TABLE former_slugs (
  account_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  left_at TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  blog_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  PRIMARY KEY (account_id, slug, left_at DESC, deleted, blog_id DESC)
) WITHOUT ROWID;
CREATE INDEX former_slugs_of_blog ON former_slugs (blog_id);

CREATE TABLE images (
  account_id TEXT NOT NULL,
  blog_id TEXT NOT NULL,
  filename TEXT NOT NULL,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (blog_id, filename)
) WITHOUT ROWID;
CREATE INDEX images_of_blog ON images (blog_id, account_id, created_at, filename);
`

/*
 * Rows of products are narrow, so that scans read little. Columns that change without the rest of
 * the record (version, status, pending work) are stored in the columns alone: marking many products
 * does not read or write a record. Index pages are most of the cost of a write, so index entries
 * are short: a project is a number, and a title is the beginning of its digest.
 */
const PRODUCTS = `
CREATE TABLE product_projects (n INTEGER PRIMARY KEY, account_id TEXT NOT NULL, project_id TEXT NOT NULL);
CREATE UNIQUE INDEX product_projects_by_id ON product_projects (account_id, project_id);

CREATE TABLE products (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_n INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  title_key INTEGER NOT NULL,
  sku TEXT,
  category TEXT,
  group_id TEXT,
  handle TEXT,
  quality TEXT,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  optimized_from_digest TEXT,
  optimize_pending_since TEXT,
  image_check_pending_since TEXT,
  suggestion_due_at TEXT,
  published_digest TEXT,
  event_pending_since TEXT,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX products_by_external_id ON products (project_n, external_id);
CREATE INDEX products_by_title ON products (project_n, title_key);
CREATE INDEX products_by_sku ON products (project_n, sku) WHERE sku IS NOT NULL;
CREATE INDEX products_by_category ON products (project_n, category) WHERE category IS NOT NULL;
CREATE INDEX products_by_group ON products (project_n, group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX products_by_handle ON products (project_n, handle) WHERE handle IS NOT NULL;
CREATE INDEX products_by_status ON products (project_n, status);
CREATE INDEX products_by_update ON products (project_n, updated_at);
-- These contain only products with pending work, so they stay small.
CREATE INDEX products_optimize_pending
  ON products (project_n, optimize_pending_since, id) WHERE optimize_pending_since IS NOT NULL;
CREATE INDEX products_image_check_pending
  ON products (project_n, image_check_pending_since, id) WHERE image_check_pending_since IS NOT NULL;
CREATE INDEX products_suggestion_due
  ON products (project_n, suggestion_due_at, id) WHERE suggestion_due_at IS NOT NULL;
CREATE INDEX products_event_pending
  ON products (project_n, event_pending_since, id) WHERE event_pending_since IS NOT NULL;

CREATE TABLE product_records (
  n INTEGER PRIMARY KEY REFERENCES products ON DELETE CASCADE,
  record TEXT NOT NULL,
  claims TEXT NOT NULL,
  terms TEXT NOT NULL
);

CREATE TABLE product_claims (
  project_n INTEGER NOT NULL,
  claim TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (project_n, claim)
) WITHOUT ROWID;

-- The encoded terms of products, with their project (see search.ts).
CREATE VIRTUAL TABLE product_search USING fts5 (
  terms,
  content = '', contentless_delete = 1, detail = none, tokenize = ascii
);

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

-- A row of a file may be long. This table has row numbers, so that records stay out of the index.
CREATE TABLE import_errors (
  import_id TEXT NOT NULL,
  line INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (import_id, line)
);
`

/* These tables are the largest. Rows refer to each other by number, to keep indexes small. */
const WEBHOOKS = `
-- The last sequence of an account. Kept after events are deleted, so that none is reused.
CREATE TABLE event_counters (account_id TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE events (
  n INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  fanned_out INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX events_by_id ON events (account_id, id);
CREATE UNIQUE INDEX events_in_order ON events (account_id, sequence);
CREATE INDEX events_pending_fan_out ON events (account_id, sequence) WHERE fanned_out = 0;
CREATE INDEX events_by_age ON events (timestamp) WHERE fanned_out = 1;

-- Large values have a table of their own, so that searches do not read them.
CREATE TABLE event_bodies (
  n INTEGER PRIMARY KEY REFERENCES events ON DELETE CASCADE,
  head TEXT NOT NULL,
  tail TEXT NOT NULL
);

-- A deleted webhook has neither id nor account until its last delivery is deleted (see webhooks.ts).
CREATE TABLE webhooks (
  n INTEGER PRIMARY KEY,
  id TEXT UNIQUE,
  account_id TEXT,
  version INTEGER NOT NULL,
  disabled INTEGER NOT NULL,
  paused_until TEXT,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at, id);

CREATE TABLE delivery_counters (
  webhook_n INTEGER PRIMARY KEY REFERENCES webhooks ON DELETE CASCADE,
  last INTEGER NOT NULL
);

CREATE TABLE deliveries (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  webhook_n INTEGER NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event_n INTEGER NOT NULL REFERENCES events ON DELETE CASCADE,
  event TEXT NOT NULL,
  event_at TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  round INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_status INTEGER,
  last_error TEXT,
  created_at TEXT NOT NULL,
  delivered_at TEXT
);
CREATE UNIQUE INDEX deliveries_of_event ON deliveries (event_n, webhook_n);
CREATE INDEX deliveries_in_order ON deliveries (webhook_n, sequence, event_at, event);
CREATE INDEX deliveries_by_status ON deliveries (webhook_n, status, sequence, event_at, event);
CREATE INDEX deliveries_due ON deliveries (webhook_n, next_attempt_at, sequence) WHERE status = 'pending';

-- Claims of deliveries. There are few, and claiming a delivery changes no large index.
CREATE TABLE delivery_leases (
  n INTEGER PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
  webhook_n INTEGER NOT NULL,
  until TEXT NOT NULL
);
CREATE INDEX delivery_leases_of_webhook ON delivery_leases (webhook_n, until);

-- Nearly every delivery has an attempt, so another index would be large. Instead, the row number of an
-- attempt of delivery n is n * 2 ** 20 + the number of the attempt.
CREATE TABLE delivery_attempts (n INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TRIGGER delete_delivery_attempts AFTER DELETE ON deliveries BEGIN
  DELETE FROM delivery_attempts WHERE n > old.n << 20 AND n < (old.n + 1) << 20;
END;

CREATE TABLE recoveries (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  webhook_n INTEGER NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  status TEXT NOT NULL,
  after_sequence INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  finished_at TEXT,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX recoveries_of_webhook ON recoveries (webhook_n);
CREATE INDEX recoveries_running ON recoveries (created_at, id, account_id) WHERE status = 'running';
CREATE INDEX recoveries_done ON recoveries (finished_at) WHERE status = 'done';
`

const VISUAL_CHECKS = `
CREATE TABLE visual_checks (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  blog_id TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX visual_checks_of_blog ON visual_checks (account_id, blog_id, created_at DESC, id DESC);
CREATE INDEX visual_checks_of_page ON visual_checks (account_id, blog_id, url, id) WHERE status = 'completed';
-- These two contain only unfinished checks, so they stay small.
CREATE INDEX visual_checks_unfinished_of_account ON visual_checks (account_id) WHERE finished_at IS NULL;
CREATE INDEX visual_checks_unfinished
  ON visual_checks (created_at, id, account_id, started_at) WHERE finished_at IS NULL;
CREATE INDEX visual_checks_finished ON visual_checks (finished_at, id, account_id) WHERE finished_at IS NOT NULL;

-- Results may be long, and have a table of their own so that lists do not read them.
CREATE TABLE visual_check_results (
  id TEXT PRIMARY KEY REFERENCES visual_checks ON DELETE CASCADE,
  record TEXT NOT NULL
);
`

/** Histories contain the checks with a score, and projects may have a schedule of checks. */
export const SCHEMA_5 = `
ALTER TABLE visual_checks ADD COLUMN score INTEGER;
UPDATE visual_checks
SET score = json_extract(record, '$.overallScore'), record = json_set(record, '$.trigger', 'request');
DROP INDEX visual_checks_of_page;
CREATE INDEX visual_checks_of_page ON visual_checks (account_id, blog_id, url, id) WHERE score IS NOT NULL;
CREATE INDEX visual_checks_of_url ON visual_checks (account_id, blog_id, url, created_at DESC, id DESC);
ALTER TABLE projects ADD COLUMN next_check_at TEXT AS (json_extract(record, '$.nextCheckAt'));
CREATE INDEX projects_with_schedule ON projects (next_check_at, account_id, id) WHERE next_check_at IS NOT NULL;
`

/**
 * Responses are prepared. Columns are in the order of their length, so that a list item is read without
 * the bodies. A response belongs to the version and the time of the last update beside it.
 */
export const SCHEMA_6 = `
CREATE TABLE blog_responses (
  n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE,
  version INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  basis TEXT NOT NULL,
  item BLOB NOT NULL,
  etag TEXT,
  br BLOB,
  gzip BLOB,
  body BLOB
);
`

/** Sweeps read only the blogs of other rules. */
export const SCHEMA_8 = `
DROP INDEX blogs_by_rules;
CREATE INDEX blogs_by_rules ON blogs (rules_version, id, account_id);
`

/** Retries of a request have the id of its first attempt, and storage is counted by account. */
export const SCHEMA_2 = `ALTER TABLE idempotency ADD COLUMN operation_id TEXT;\n${STORAGE_SCHEMA}`

/** The tables of schema version 1. */
export const SCHEMA_1 = [ACCOUNTS, BLOGS, PRODUCTS, WEBHOOKS, VISUAL_CHECKS].join('\n')
