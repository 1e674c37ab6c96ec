import type { Store } from '../../../ports/store/port.ts'
import type { STORE_CONTRACT } from '../store.contract.ts'

/**
 * A store that breaks one promise and keeps the others; `noun` is where the contract should notice.
 */
export interface Sabotage {
  title: string
  noun: keyof typeof STORE_CONTRACT
  wrap: (store: Store) => Store
}

/** A sabotage of one noun: the methods that `broken` gives stand in for those of the store. */
export function breaking<N extends Exclude<keyof typeof STORE_CONTRACT, 'store'>>(
  title: string,
  noun: N,
  broken: (whole: Store[N], store: Store) => Partial<Store[N]>
): Sabotage {
  return { title, noun, wrap: (store) => ({ ...store, [noun]: { ...store[noun], ...broken(store[noun], store) } }) }
}

/** Lets other requests in between, as a store does that reads and writes in two steps. */
export const pause = async () =>
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
