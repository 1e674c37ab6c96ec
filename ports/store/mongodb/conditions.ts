import type { Filter } from 'mongodb'
import type { BlogReader } from '../port.ts'
import type { BlogDocument } from './blogs-documents.ts'

/** Whether the project is one of those that the reader may see. */
function maySee ({ projectIds }: BlogReader, projectId: string): boolean {
  return projectIds === null || projectIds.includes(projectId)
}

/** Account and projects of what the reader may see; of one project alone when that is given. */
export function seenBy (reader: BlogReader & { projectId?: string | undefined }): Filter<BlogDocument> {
  const { accountId, projectIds, projectId } = reader
  if (projectId !== undefined) return { accountId, projectId: maySee(reader, projectId) ? projectId : { $in: [] } }
  if (projectIds === null) return { accountId }
  // One project, by far the most usual, is an equation, so that an index gives its blogs in order.
  return { accountId, projectId: projectIds.length === 1 ? projectIds[0] as string : { $in: projectIds } }
}
