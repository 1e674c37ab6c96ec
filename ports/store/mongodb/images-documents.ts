import type { Collection } from 'mongodb'
import type { ImageRecord } from '../port.ts'
import type { Database } from './database.ts'

export interface ImageDocument extends ImageRecord {
  _id: string
}

export const imagesOf = (database: Database): Collection<ImageDocument> => database.collection<ImageDocument>('images')
