import type { ReadScope } from '../port.ts'

/**
 * The condition on account and projects of what the reader may see; of one project alone when that
 * is given.
 */
export function seenBy({ accountId, projectIds, projectId }: ReadScope & { projectId?: string | undefined }): {
  accountId: string
  projectId?: string | { $in: string[] }
} {
  if (projectIds === null) return { accountId, ...(projectId === undefined ? {} : { projectId }) }
  const seen = projectIds.filter((id) => projectId === undefined || id === projectId)
  // One project, by far the most usual, is an equation, so that an index gives what is of it in
  // order.
  return { accountId, projectId: seen.length === 1 ? (seen[0] as string) : { $in: seen } }
}
