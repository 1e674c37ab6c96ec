import type { Timestamp } from './common.ts'

/**
 * Named locks that work across processes. A lease ends at `until` unless its holder extends it, so
 * that a lease of a crashed process becomes free. A store that only one process can open releases all leases when
 * it is opened.
 */
export interface LeaseStore {
  /**
   * Acquires the lease, or extends it when this holder has it. Returns false when another holder
   * has a lease with `until` > `now`.
   */
  acquire: (lease: { name: string; holder: string; now: Timestamp; until: Timestamp }) => Promise<boolean>
  /** Releases the lease, unless another holder has it. */
  release: (lease: { name: string; holder: string }) => Promise<void>
}
