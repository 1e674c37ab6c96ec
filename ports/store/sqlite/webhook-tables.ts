/**
 * The tables of events, webhooks and deliveries. Rows refer to one another by number: these tables
 * are the largest ones, and their indexes shall be small.
 */
export const WEBHOOK_TABLES = `
-- The last sequence that was given, so that none is given twice when the rows have been swept.
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
CREATE INDEX events_not_fanned_out ON events (account_id, sequence) WHERE fanned_out = 0;
CREATE INDEX events_by_age ON events (timestamp) WHERE fanned_out = 1;

-- The bytes stand apart, so that a search for events does not read past them.
CREATE TABLE event_bodies (n INTEGER PRIMARY KEY REFERENCES events ON DELETE CASCADE, head TEXT NOT NULL, tail TEXT NOT NULL);

-- One that was removed has neither id nor account until its last delivery is gone (see webhooks-remove.ts).
CREATE TABLE webhooks (
  n INTEGER PRIMARY KEY,
  id TEXT UNIQUE,
  account_id TEXT,
  version INTEGER NOT NULL,
  disabled INTEGER NOT NULL,
  -- Nothing is sent before this; null: it is not held up.
  paused_until TEXT,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at, id);

CREATE TABLE delivery_counters (webhook_n INTEGER PRIMARY KEY REFERENCES webhooks ON DELETE CASCADE, last INTEGER NOT NULL);

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

-- Those that somebody is trying. They are few, and stand apart, so that taking one moves it in no large index.
CREATE TABLE delivery_leases (n INTEGER PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE, webhook_n INTEGER NOT NULL, until TEXT NOT NULL);
CREATE INDEX delivery_leases_of_webhook ON delivery_leases (webhook_n, until);

-- The number of an attempt of delivery n is n * 2 ** 20 + its own, so that no other index is needed: there is nearly one for each delivery.
CREATE TABLE delivery_attempts (n INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TRIGGER deliveries_gone AFTER DELETE ON deliveries BEGIN
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
CREATE INDEX recoveries_done ON recoveries (finished_at) WHERE status = 'done'`
