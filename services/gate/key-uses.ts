import type { Store } from '../../ports/store/port.ts'

/**
 * When keys were last used: noted in memory with every request, written by `flush`, which is called
 * at most once a minute, so that each key costs at most one write a minute.
 */
export function createKeyUses({ store }: { store: Store }) {
  let uses = new Map<string, number>()
  return {
    note(keyId: string, nowMs: number): void {
      uses.set(keyId, nowMs)
    },
    async flush(): Promise<void> {
      if (uses.size === 0) return
      const pending = uses
      uses = new Map()
      try {
        await store.apiKeys.recordUses([...pending].map(([id, at]) => ({ id, at: new Date(at).toISOString() })))
      } catch (error) {
        // What could not be written waits for the next flush; a later use of the same key stands
        // above it.
        uses = new Map([...pending, ...uses])
        throw error
      }
    }
  }
}
