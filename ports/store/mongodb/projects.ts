import type { ProjectRecord, ProjectStore } from '../port.ts'
import type { Database } from './database.ts'
import { changedFields, compoundId, WITHOUT_ID } from './records-changed.ts'
import { ensured } from './records-ensured.ts'

/** Keeps projects. */
export function createProjects(database: Database): ProjectStore {
  const projects = database.collection<ProjectRecord & { _id: string }>('projects')
  const find = (accountId: string, id: string) =>
    database.act(() => projects.findOne<ProjectRecord>({ _id: compoundId(accountId, id) }, { projection: WITHOUT_ID }))

  return {
    insertIfAbsent: (project) =>
      database.act(async () => {
        const { record, added } = await ensured(projects, compoundId(project.accountId, project.id), project)
        return { project: record, added }
      }),
    find,
    list: (accountId) =>
      database.act(() =>
        projects.find<ProjectRecord>({ accountId }, { projection: WITHOUT_ID, sort: { id: 1 } }).toArray()
      ),
    update: async (accountId, id, change) => {
      const fields = changedFields<ProjectRecord>(change)
      if (Object.keys(fields).length === 0) return await find(accountId, id)
      return await database.act(() =>
        projects.findOneAndUpdate(
          { _id: compoundId(accountId, id) },
          { $set: { ...fields, accountId, id } },
          { projection: WITHOUT_ID, returnDocument: 'after' }
        )
      )
    },
    delete: (accountId, id) =>
      database.act(async () => (await projects.deleteOne({ _id: compoundId(accountId, id) })).deletedCount === 1)
  }
}
