import type { Files } from '../../ports/files/port.ts'
import type { Store } from '../../ports/store/port.ts'

/** The folder of an import in the file store. */
export const importFolder = (id: string) => `imports/${id}`
/** The decompressed upload; deleted when the import ends. */
export const uploadKey = (id: string) => `${importFolder(id)}/upload`
/** The detected layout of the upload; also needed for the file of failed rows. */
export const layoutKey = (id: string) => `${importFolder(id)}/layout.json`

const HOUR_MS = 3_600_000
/**
 * A crash between storing an upload and its record leaves orphaned files. Younger files may still
 * get their record.
 */
const ORPHAN_AGE_MS = 24 * HOUR_MS
/** Orphans are rare, so that a delayed removal does no harm. */
const SWEEP_INTERVAL_MS = 6 * HOUR_MS
const PAGE_SIZE = 500

/**
 * Deletes the files of imports without a record, left behind when the process died before it wrote
 * the record.
 */
export function createOrphanSweep({ store, files }: { store: Store; files: Files }) {
  let sweptAtMs = -Infinity

  async function importIds(): Promise<Set<string>> {
    const ids = new Set<string>()
    for (let after: string | null = null; ; ) {
      const page: { records: { id: string }[]; next: string | null } = await store.transfer.page('import', {
        after,
        limit: PAGE_SIZE
      })
      for (const { id } of page.records) ids.add(id)
      if (page.next === null) return ids
      after = page.next
    }
  }

  return async (nowMs: number, signal: AbortSignal): Promise<void> => {
    if (nowMs - sweptAtMs < SWEEP_INTERVAL_MS) return
    sweptAtMs = nowMs
    const before = new Date(nowMs - ORPHAN_AGE_MS).toISOString()
    const known = await importIds()
    for (let afterKey: string | null = null; !signal.aborted; ) {
      const page: { key: string; putAt: string }[] = await files.list({ prefix: 'imports', afterKey, limit: PAGE_SIZE })
      const old = page.filter(({ putAt }) => putAt < before).map(({ key }) => key.split('/')[1]!)
      for (const id of new Set(old).difference(known)) await files.removeAll(importFolder(id))
      if (page.length < PAGE_SIZE) return
      afterKey = page.at(-1)!.key
    }
  }
}
