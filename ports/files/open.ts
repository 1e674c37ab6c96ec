import path from 'node:path'
import { processFolder } from '../../lib/temporary-folder.ts'
import type { Files } from './port.ts'

/** Variants of images never change under their keys. Originals are not delivered. */
const isVariant = (key: string): boolean => key.startsWith('images/') && !key.endsWith('/original')

/**
 * Opens the file storage: GridFS when `mongodbUrl` is set, otherwise the folder `<dataDir>/files`.
 * `timeoutMs`: operations throw `unavailable` when MongoDB does not respond for this time.
 * `cacheBytes`: of images from GridFS, copies are cached in the temporary folder of the process. Throws
 * a StartError when the storage cannot be opened.
 */
export async function openFiles({
  mongodbUrl: url,
  dataDir,
  timeoutMs,
  cacheBytes = 0
}: {
  mongodbUrl?: string
  dataDir: string
  timeoutMs?: number
  cacheBytes?: number
}): Promise<Files> {
  if (url !== undefined) {
    const files = await (await import('./gridfs/index.ts')).openGridfsFiles({ url, timeoutMs })
    if (cacheBytes === 0) return files
    const { cacheFiles } = await import('./cache/index.ts')
    return await cacheFiles(files, { folder: await processFolder(), maxBytes: cacheBytes, accepts: isVariant })
  }
  return await (await import('./disk/index.ts')).openDiskFiles(path.join(dataDir, 'files'))
}

/**
 * Creates the missing indexes for files in MongoDB. Resolves with their names, as
 * `collection.name`. Throws a StartError when the database cannot be used.
 */
export async function prepareFiles({ mongodbUrl }: { mongodbUrl: string }): Promise<string[]> {
  return await (await import('./gridfs/index.ts')).prepareGridfs({ url: mongodbUrl })
}
