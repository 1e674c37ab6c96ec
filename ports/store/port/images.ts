import type { Timestamp } from './common.ts'

/** Metadata of an image of a blog; the bytes are files. Unique by (blogId, filename). */
export interface ImageRecord {
  accountId: string
  blogId: string
  filename: string
  /** The name of the uploaded file. The blog's source may refer to the image by this name. */
  originalName: string
  alt: string
  width: number
  height: number
  bytes: number
  /** Size of the uploaded file. Missing in records of earlier versions. */
  originalBytes?: number
  /** The media type that is delivered when no format is requested, such as `image/jpeg`. */
  type: string
  /** SHA-256 of the uploaded bytes, in hex. */
  hash: string
  createdAt: Timestamp
}

export interface ImageStore {
  /**
   * Inserts the image unless the blog has one with this filename. Returns the stored image; `added`
   * is true when this call inserted it.
   */
  insertIfAbsent: (image: ImageRecord) => Promise<{ image: ImageRecord; added: boolean }>
  /** Changes the text alternative. Returns the image as it is then, or null when it does not exist. */
  setAlt: (image: Pick<ImageRecord, 'accountId' | 'blogId' | 'filename'>, alt: string) => Promise<ImageRecord | null>
  find: (blogId: string, filename: string) => Promise<ImageRecord | null>
  /** Oldest first, then by filename. */
  list: (accountId: string, blogId: string) => Promise<ImageRecord[]>
  /** Returns false when the image does not exist. */
  delete: (accountId: string, blogId: string, filename: string) => Promise<boolean>
}
