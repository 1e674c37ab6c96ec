/** Projects that public blogs left. `current_project_id`: the project that the blog, or its tombstone, is in. */
export const BLOG_DEPARTURES_SCHEMA = `
CREATE TABLE blog_departures (
  account_id TEXT NOT NULL,
  left_at TEXT NOT NULL,
  blog_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  current_project_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  PRIMARY KEY (account_id, left_at, blog_id, project_id)
) WITHOUT ROWID;
CREATE INDEX blog_departures_of_blog ON blog_departures (blog_id)`
