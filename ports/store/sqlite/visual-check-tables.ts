/** Visual checks. What came of one may be long, so it stands apart from what lists read. */
export const VISUAL_CHECK_TABLES = `
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
-- Only what goes on is in these two, so that they are small however many checks have ended.
CREATE INDEX visual_checks_going_on ON visual_checks (account_id) WHERE finished_at IS NULL;
CREATE INDEX visual_checks_unfinished ON visual_checks (created_at, id, account_id, started_at) WHERE finished_at IS NULL;
CREATE INDEX visual_checks_finished ON visual_checks (finished_at, id, account_id) WHERE finished_at IS NOT NULL;

CREATE TABLE visual_check_results (id TEXT PRIMARY KEY REFERENCES visual_checks ON DELETE CASCADE, record TEXT NOT NULL)`
