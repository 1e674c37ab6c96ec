import type { ProjectRecord, ProjectStore } from '../port.ts'
import type { Database } from './database.ts'
import { changed, recordOf, type RecordRow } from './records.ts'

/** Keeps projects. */
export function createProjects(db: Database): ProjectStore {
  const find = (accountId: string, id: string) =>
    recordOf<ProjectRecord>(
      db.one<RecordRow>('SELECT record FROM projects WHERE account_id = ? AND id = ?', accountId, id)
    )

  return {
    insertIfAbsent: async (project) => {
      const { accountId, id } = project
      const added =
        db.run(
          'INSERT INTO projects (account_id, id, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          accountId,
          id,
          JSON.stringify(project)
        ) === 1
      return { project: find(accountId, id) as ProjectRecord, added }
    },
    find: async (accountId, id) => find(accountId, id),
    list: async (accountId) =>
      db
        .all<RecordRow>('SELECT record FROM projects WHERE account_id = ? ORDER BY id', accountId)
        .map((row) => JSON.parse(row.record) as ProjectRecord),
    update: async (accountId, id, change) =>
      db.atomically(() => {
        const found = find(accountId, id)
        if (found === null) return null
        const project = { ...changed(found, change), accountId, id }
        db.run('UPDATE projects SET record = ? WHERE account_id = ? AND id = ?', JSON.stringify(project), accountId, id)
        return find(accountId, id)
      }),
    delete: async (accountId, id) => db.run('DELETE FROM projects WHERE account_id = ? AND id = ?', accountId, id) === 1
  }
}
