/**
 * The tables of version 1. A record is kept as JSON; beside it stand the columns that are searched
 * or sorted by.
 * Text compares by its UTF-8 bytes, which is by code point.
 */
export const FIRST_TABLES = `
CREATE TABLE accounts (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE projects (account_id TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (account_id, id)) WITHOUT ROWID;

CREATE TABLE keys (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX keys_of_account ON keys (account_id, created_at, id);

CREATE TABLE images (account_id TEXT NOT NULL, blog_id TEXT NOT NULL, filename TEXT NOT NULL, created_at TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (blog_id, filename)) WITHOUT ROWID;
CREATE INDEX images_of_blog ON images (blog_id, account_id, created_at, filename);

CREATE TABLE idempotency (scope TEXT PRIMARY KEY, body_hash TEXT NOT NULL, claimed_at TEXT NOT NULL, expires_at TEXT NOT NULL, answer TEXT) WITHOUT ROWID;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE usage (account_id TEXT NOT NULL, hour TEXT NOT NULL, requests INTEGER NOT NULL, refused INTEGER NOT NULL, PRIMARY KEY (account_id, hour)) WITHOUT ROWID;

CREATE TABLE blogs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL,
  category TEXT,
  locale TEXT NOT NULL,
  author TEXT,
  published_at TEXT,
  publish_at TEXT,
  updated_at TEXT NOT NULL,
  withdrawn_at TEXT,
  rules_version TEXT NOT NULL,
  head TEXT NOT NULL
);
CREATE UNIQUE INDEX blogs_by_slug ON blogs (account_id, slug);
CREATE INDEX blogs_listed ON blogs (account_id, status, published_at DESC, id DESC);
CREATE INDEX blogs_of_any_status ON blogs (account_id, published_at DESC, id DESC);
CREATE INDEX blogs_by_project ON blogs (account_id, project_id, status, published_at DESC, id DESC);
CREATE INDEX blogs_by_category ON blogs (account_id, category, status, published_at DESC, id DESC, project_id, locale);
CREATE INDEX blogs_by_locale ON blogs (account_id, locale, status, published_at DESC, id DESC);
CREATE INDEX blogs_by_author ON blogs (account_id, author, status, published_at DESC, id DESC);
CREATE INDEX blogs_by_update ON blogs (account_id, status, updated_at);
CREATE INDEX blogs_by_id ON blogs (account_id, status, id);
CREATE INDEX blogs_by_rules ON blogs (id, rules_version, account_id);
CREATE INDEX blogs_due ON blogs (publish_at, id, account_id) WHERE status = 'scheduled';
CREATE INDEX blogs_withdrawn ON blogs (account_id, withdrawn_at) WHERE withdrawn_at IS NOT NULL;

-- What is bulky stands apart, so that a list does not read past it.
CREATE TABLE blog_bodies (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, body TEXT NOT NULL);
CREATE TABLE blog_vectors (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, vector TEXT NOT NULL);
CREATE TABLE blog_related (n INTEGER PRIMARY KEY REFERENCES blogs ON DELETE CASCADE, related TEXT NOT NULL);

CREATE TABLE blog_tags (account_id TEXT NOT NULL, tag TEXT NOT NULL, n INTEGER NOT NULL REFERENCES blogs ON DELETE CASCADE, PRIMARY KEY (account_id, tag, n)) WITHOUT ROWID;
CREATE INDEX blog_tags_of_blog ON blog_tags (n);

-- The words of blogs, each as the hexadecimal digits of its UTF-8 (see blog-words.ts). The prefixes of
-- one to three letters have an index of their own: without it a search for one letter merges the lists of half the words there are.
CREATE VIRTUAL TABLE blog_words USING fts5 (account, title, text, content = '', contentless_delete = 1, detail = column, tokenize = ascii, prefix = '2 4 6');

CREATE TABLE tombstones (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, project_id TEXT NOT NULL, was_public INTEGER NOT NULL, deleted_at TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX tombstones_seen ON tombstones (account_id, deleted_at) WHERE was_public = 1;

-- Who had a slug while it was public, and when it was given up: by a blog that lives (buried 0), or by one that was deleted (1).
CREATE TABLE slug_exits (
  account_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  left_at TEXT NOT NULL,
  buried INTEGER NOT NULL,
  blog_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  PRIMARY KEY (account_id, slug, left_at DESC, buried, blog_id DESC)
) WITHOUT ROWID;
CREATE INDEX slug_exits_of_blog ON slug_exits (blog_id)`
