import type { Store } from '../../../ports/store/port.ts'

/** An empty store of some adapter. `reopen` closes it and opens what it has kept. */
export interface StoreStand {
  store: Store
  reopen: () => Promise<Store>
}

/**
 * One promise of the port. `run` rejects with an AssertionError when the store does not keep it.
 */
export interface StoreCase {
  title: string
  run: (stand: StoreStand) => Promise<void>
}
