import type { LeaseStore } from '../port.ts'
import type { Database } from './database.ts'

const ACQUIRE = `
  INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE holder = excluded.holder OR until <= ?`

export function createLeases(db: Database): LeaseStore {
  return {
    acquire: async ({ name, holder, now, until }) => db.runTemporary(ACQUIRE, name, holder, until, now) > 0,
    release: async ({ name, holder }) => {
      db.runTemporary('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder)
    }
  }
}
