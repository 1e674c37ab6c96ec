import path from 'node:path'
import type { Files } from './port.ts'

/**
 * Opens what keeps bytes: in the folder `files` of `dataDir`, unless a MongoDB is named. Throws a
 * StartError where the choice cannot be met.
 */
export async function openFiles({ mongodbUrl, dataDir }: { mongodbUrl?: string; dataDir: string }): Promise<Files> {
  if (mongodbUrl !== undefined) return await (await import('./gridfs/index.ts')).openGridfsFiles({ url: mongodbUrl })
  return await (await import('./disk.ts')).openDiskFiles(path.join(dataDir, 'files'))
}

/**
 * Makes the indexes that files in a MongoDB need and does not have yet; resolves with their names,
 * as `collection.name`. Throws a StartError where that cannot be.
 */
export async function prepareFiles({ mongodbUrl }: { mongodbUrl: string }): Promise<string[]> {
  return await (await import('./gridfs/index.ts')).prepareGridfs({ url: mongodbUrl })
}
