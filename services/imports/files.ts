import type { Files } from '../../ports/files/port.ts'
import type { Store } from '../../ports/store/port.ts'

/** Where the files of an import are kept. */
export const importFolder = (id: string) => `imports/${id}`
/** The upload, unpacked; removed when the import ends. */
export const uploadKey = (id: string) => `${importFolder(id)}/upload`
/** What was found out about the upload; kept for the file of the failed rows. */
export const layoutKey = (id: string) => `${importFolder(id)}/layout.json`

const HOUR_MS = 3_600_000
/**
 * A crash between the upload and its record leaves files that nothing names; whatever is younger
 * may still get its record.
 */
const ORPHAN_AGE_MS = 24 * HOUR_MS
/** A day more or less does not matter for what is left behind that seldom. */
const SWEEP_INTERVAL_MS = 6 * HOUR_MS
const PAGE_SIZE = 500

/**
 * Removes the files of imports that have no record, because the process died before it was written.
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
