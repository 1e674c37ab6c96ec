import type { Store } from '../../../../ports/store/port.ts'
import type { STORE_CONTRACT } from '../../store.contract.ts'

/**
 * A store that violates one guarantee of the port. The contract cases of `collection` must detect
 * the violation.
 */
export interface Mutant {
  title: string
  collection: keyof typeof STORE_CONTRACT
  wrap: (store: Store) => Store
}

/** A mutant whose collection has some methods replaced by those that `broken` returns. */
export function mutant<N extends Exclude<keyof typeof STORE_CONTRACT, 'store'>>(
  title: string,
  collection: N,
  broken: (whole: Store[N], store: Store) => Partial<Store[N]>
): Mutant {
  return {
    title,
    collection,
    wrap: (store) => ({ ...store, [collection]: { ...store[collection], ...broken(store[collection], store) } })
  }
}

/** Lets other requests run in between, like a store that reads and writes in two steps. */
export const pause = async () =>
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
