/**
 * Claims of deliveries, in memory: only one process can have the file open, so the claims of a process end with
 * it, and deliveries that were in flight are attempted again by the next one. Claiming a delivery writes nothing
 * to the file.
 */
export const LEASES_SCHEMA = `
CREATE TEMP TABLE delivery_leases (
  n INTEGER PRIMARY KEY,
  webhook_n INTEGER NOT NULL,
  until TEXT NOT NULL
);
CREATE INDEX temp.delivery_leases_of_webhook ON delivery_leases (webhook_n, until);
CREATE TEMP TRIGGER delete_delivery_leases AFTER DELETE ON main.deliveries BEGIN
  DELETE FROM delivery_leases WHERE n = old.n;
END`
