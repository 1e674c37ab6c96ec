import { createGrowingLru } from '../lib/growing-lru.ts'
import type { Files } from '../ports/files/port.ts'
import type { GeneratedFile, GeneratedKind, Store } from '../ports/store/port.ts'
import { newId } from './ids.ts'
import type { StorageQuota } from './storage.ts'

export type GeneratedFiles = ReturnType<typeof createGeneratedFiles>

/**
 * Part of the storage limit of an account that its generated files may have in addition. The sizes of an image have
 * about as many bytes as the image and its original; a screenshot shows for a month what a check found.
 */
const SHARES: Readonly<Record<GeneratedKind, number>> = { 'image-size': 1, 'social-image': 0.1, screenshot: 0.5 }
/** The files of an account are added up again when it has this part of the limit more, in this process. */
const MORE_SHARE = 0.05
/** Files that are deleted together. */
const DELETED_AT_ONCE = 100
const MAX_ACCOUNTS = 10_000

/** Files that were deleted because the account had too many bytes of this kind. */
export interface TrimmedFiles {
  accountId: string
  kind: GeneratedKind
  files: number
  maxBytes: number
}

export interface GeneratedFilesOptions {
  /** Files of each kind that any account may have, in bytes. */
  minBytes?: number
  onTrimmed?: (trimmed: TrimmedFiles) => void
  /** Receives errors of deletions, which are repeated with later files. */
  onError?: (error: unknown) => void
}

/** What this process has added to an account's files of one kind since they were last added up. */
interface Growth {
  bytes: number
  isTrimming: boolean
}

interface Dependencies {
  store: Pick<Store, 'generatedFiles'>
  files: Files
  storage: Pick<StorageQuota, 'limits'>
}

/**
 * Stores files that the service generates: sizes of images, images for social networks, and screenshots. Limits the
 * bytes that each account has of each kind to a share of its storage limit, by deleting the oldest
 * (docs/decisions/0018).
 */
export function createGeneratedFiles(
  { store, files, storage }: Dependencies,
  { minBytes = 256 * 2 ** 20, onTrimmed = () => {}, onError = () => {} }: GeneratedFilesOptions = {}
) {
  /** The files of an account that is missing here are added up with its next file. */
  const growths = createGrowingLru<string, Growth>(MAX_ACCOUNTS)

  async function deleteOldest(
    { accountId, kind }: Pick<GeneratedFile, 'accountId' | 'kind'>,
    maxBytes: number
  ): Promise<void> {
    // Leaves room for what is added until the files are added up again.
    const fittingBytes = Math.floor((1 - MORE_SHARE) * maxBytes)
    const before = await store.generatedFiles.findFitting(accountId, kind, fittingBytes)
    let count = 0
    try {
      while (true) {
        const oldest = await store.generatedFiles.oldest(accountId, kind, { before, limit: DELETED_AT_ONCE })
        for (const { key } of oldest) await files.remove(key)
        // Afterwards, so that a crash leaves no file without a record.
        await store.generatedFiles.delete(oldest)
        count += oldest.length
        if (oldest.length < DELETED_AT_ONCE) return
      }
    } finally {
      if (count > 0) onTrimmed({ accountId, kind, files: count, maxBytes })
    }
  }

  async function trim(file: Pick<GeneratedFile, 'accountId' | 'kind' | 'bytes'>): Promise<void> {
    const id = `${file.accountId} ${file.kind}`
    const growth = growths.get(id) ?? { bytes: Infinity, isTrimming: false }
    growths.set(id, growth)
    growth.bytes += file.bytes
    // No limit is smaller.
    if (growth.isTrimming || growth.bytes < MORE_SHARE * minBytes) return
    growth.isTrimming = true
    try {
      const { bytes } = await storage.limits(file.accountId)
      const maxBytes = Math.max(minBytes, Math.floor(SHARES[file.kind] * bytes))
      while (growth.bytes >= MORE_SHARE * maxBytes) {
        growth.bytes = 0
        await deleteOldest(file, maxBytes)
      }
    } catch (error) {
      growth.bytes = Infinity
      throw error
    } finally {
      growth.isTrimming = false
    }
  }

  return {
    /** Stores a file, or replaces it. If there are too many bytes of its kind, the oldest are deleted soon after. */
    async put(file: Pick<GeneratedFile, 'accountId' | 'kind' | 'key'>, bytes: Buffer): Promise<void> {
      // The record first, so that a crash leaves no file without one.
      await store.generatedFiles.put({ ...file, id: newId(), bytes: bytes.length })
      await files.put(file.key, bytes)
      trim({ ...file, bytes: bytes.length }).catch(onError)
    },

    /** Removes all files whose keys start with `prefix` + `/`, also those that were not generated. */
    async removeAll(prefix: string): Promise<void> {
      await files.removeAll(prefix)
      await store.generatedFiles.deleteAll(prefix)
    }
  }
}
