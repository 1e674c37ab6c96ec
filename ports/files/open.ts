import path from 'node:path'
import { StartError } from '../../errors.ts'
import type { Files } from './port.ts'

/** Opens what keeps bytes: in the folder `files` of `dataDir`, unless a MongoDB is named. Throws a StartError where the choice cannot be met. */
export async function openFiles ({ mongodbUrl, dataDir }: { mongodbUrl?: string, dataDir: string }): Promise<Files> {
  if (mongodbUrl !== undefined) throw new StartError('MONGODB_URL is set, but this build has no MongoDB adapter yet for files. Unset it to keep files on the disk.')
  return await (await import('./disk.ts')).openDiskFiles(path.join(dataDir, 'files'))
}
