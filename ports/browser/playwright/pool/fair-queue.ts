export interface FairQueue<Item> {
  add: (account: string, item: Item) => void
  remove: (account: string, item: Item) => void
  /** The next item: round-robin over the accounts, first in first out within one. Null if empty. */
  next: () => Item | null
}

/** Creates a queue in which an account with many items does not delay the others. */
export function createFairQueue<Item>(): FairQueue<Item> {
  const waiting = new Map<string, Item[]>()
  return {
    add(account, item) {
      const items = waiting.get(account)
      if (items === undefined) waiting.set(account, [item])
      else items.push(item)
    },
    remove(account, item) {
      const left = waiting.get(account)?.filter((one) => one !== item) ?? []
      if (left.length === 0) waiting.delete(account)
      else waiting.set(account, left)
    },
    next() {
      const first = waiting.entries().next().value
      if (first === undefined) return null
      const [account, [item, ...rest]] = first
      waiting.delete(account)
      // Inserted again as the last account.
      if (rest.length > 0) waiting.set(account, rest)
      return item as Item
    }
  }
}
