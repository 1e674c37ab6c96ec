/**
 * Leases and claims of deliveries, in memory: only one process can have the file open, so those of a process end
 * with it. The next one does its work again, and attempts deliveries again that were in flight. They write nothing
 * to the file.
 */
export const TEMPORARY_SCHEMA = `
CREATE TEMP TABLE leases (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until TEXT NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE delivery_leases (
  n INTEGER PRIMARY KEY,
  webhook_n INTEGER NOT NULL,
  until TEXT NOT NULL
);
CREATE INDEX temp.delivery_leases_of_webhook ON delivery_leases (webhook_n, until);
CREATE TEMP TRIGGER delete_delivery_leases AFTER DELETE ON main.deliveries BEGIN
  DELETE FROM delivery_leases WHERE n = old.n;
END`
