/** Widths and formats of images, images for social networks, and screenshots of visual checks. */
export type GeneratedKind = 'image-size' | 'social-image' | 'screenshot'

/** A file that the service has generated for an account. Unique by key. */
export interface GeneratedFile {
  /** UUIDv7: files are ordered by it. */
  id: string
  accountId: string
  kind: GeneratedKind
  key: string
  bytes: number
}

export type GeneratedFileRef = Pick<GeneratedFile, 'id' | 'key'>

/** Records of generated files, so that their bytes can be limited. A crash may lose records of the last moments. */
export interface GeneratedFileStore {
  /** Replaces a record with this key. */
  put: (file: GeneratedFile) => Promise<void>
  /**
   * The id of the oldest of the newest files that have at most `maxBytes` together. All files of the account and kind
   * whose ids are smaller exceed them. An empty string if none do, and greater than any id if all do.
   */
  findFitting: (accountId: string, kind: GeneratedKind, maxBytes: number) => Promise<string>
  /** The oldest files with ids below `before`, in order. At most `limit`. */
  oldest: (
    accountId: string,
    kind: GeneratedKind,
    { before, limit }: { before: string; limit: number }
  ) => Promise<GeneratedFileRef[]>
  /** Deletes these records, unless they were replaced. */
  delete: (files: GeneratedFileRef[]) => Promise<void>
  /** Deletes the records of all files whose keys start with `prefix` + `/`. */
  deleteAll: (prefix: string) => Promise<void>
}
