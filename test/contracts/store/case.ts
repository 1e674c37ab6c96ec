import type { Store } from '../../../ports/store/port.ts'

/** An empty store of an adapter. `reopen` closes the store and opens it with the stored data. */
export interface StoreFixture {
  store: Store
  reopen: () => Promise<Store>
}

/**
 * One guarantee of the port. `run` rejects with an AssertionError when the store violates it.
 */
export interface StoreCase {
  title: string
  run: (stand: StoreFixture) => Promise<void>
}
