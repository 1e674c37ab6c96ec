import path from 'node:path'
import type { Files } from './port.ts'

/**
 * Opens the file storage: GridFS when `mongodbUrl` is set, otherwise the folder `<dataDir>/files`.
 * `timeoutMs`: operations throw `unavailable` when MongoDB does not respond for this time. Throws a
 * StartError when the storage cannot be opened.
 */
export async function openFiles({
  mongodbUrl: url,
  dataDir,
  timeoutMs
}: {
  mongodbUrl?: string
  dataDir: string
  timeoutMs?: number
}): Promise<Files> {
  if (url !== undefined) return await (await import('./gridfs/index.ts')).openGridfsFiles({ url, timeoutMs })
  return await (await import('./disk/index.ts')).openDiskFiles(path.join(dataDir, 'files'))
}

/**
 * Creates the missing indexes for files in MongoDB. Resolves with their names, as
 * `collection.name`. Throws a StartError when the database cannot be used.
 */
export async function prepareFiles({ mongodbUrl }: { mongodbUrl: string }): Promise<string[]> {
  return await (await import('./gridfs/index.ts')).prepareGridfs({ url: mongodbUrl })
}
