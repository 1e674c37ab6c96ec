import type { LeaseStore } from '../port.ts'
import type { Database } from './database.ts'

/** Keeps who may do what only one may do at a time. */
export function createLeases(db: Database): LeaseStore {
  return {
    acquire: async ({ name, holder, now, until }) =>
      db.run(
        `
      INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE holder = excluded.holder OR until <= ?`,
        name,
        holder,
        until,
        now
      ) > 0,
    release: async ({ name, holder }) => {
      db.run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder)
    }
  }
}
