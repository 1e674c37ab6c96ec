import type { MetadataStore } from '../port.ts'
import type { Database } from './database.ts'

export function createMetadata(db: Database): MetadataStore {
  return {
    find: async (name) => {
      const row = db.one<{ value: string }>('SELECT value FROM metadata WHERE name = ?', name)
      return row?.value ?? null
    },
    replace: async (name, expected, value) =>
      (expected === null
        ? db.run('INSERT INTO metadata (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, value)
        : db.run('UPDATE metadata SET value = ? WHERE name = ? AND value = ?', value, name, expected)) > 0
  }
}
