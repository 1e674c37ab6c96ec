/** A queue that takes turns between accounts, so that one with many items does not delay the others. */
export interface FairQueue<Item> {
  add: (account: string, item: Item) => void
  /** Does nothing if the item is not waiting. */
  remove: (account: string, item: Item) => void
  /**
   * Removes and returns the next item: round-robin over the accounts, first in first out within one.
   * Accounts are passed over if `isReady` is false for them and their next item. Null if there is none.
   */
  next: (isReady?: (account: string, next: Item) => boolean) => Item | null
  /** Whether `isReady` is true for an account and its next item. */
  hasReady: (isReady: (account: string, next: Item) => boolean) => boolean
  /** The accounts that have waiting items. The one whose turn is next comes first. */
  accounts: () => IterableIterator<string>
  /** The number of waiting items of an account. */
  count: (account: string) => number
  /** Whether no item is waiting. */
  isEmpty: () => boolean
  /** Removes and returns all items. */
  drain: () => Item[]
}

/** Creates an empty queue. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** The account whose turn is next comes first. */
  const waiting = new Map<string, Set<Item>>()
  return {
    add(account, item) {
      const items = waiting.get(account)
      if (items === undefined) waiting.set(account, new Set([item]))
      else items.add(item)
    },
    remove(account, item) {
      const items = waiting.get(account)
      if (items?.delete(item) === true && items.size === 0) waiting.delete(account)
    },
    next(isReady = () => true) {
      for (const [account, items] of waiting) {
        const [item] = items as unknown as [Item]
        if (!isReady(account, item)) continue
        items.delete(item)
        waiting.delete(account)
        // Inserted again as the last account.
        if (items.size > 0) waiting.set(account, items)
        return item
      }
      return null
    },
    hasReady: (isReady) => waiting.entries().some(([account, [item]]) => isReady(account, item as Item)),
    accounts: () => waiting.keys(),
    count: (account) => waiting.get(account)?.size ?? 0,
    isEmpty: () => waiting.size === 0,
    drain() {
      const items = [...waiting.values()].flatMap((one) => [...one])
      waiting.clear()
      return items
    }
  }
}
