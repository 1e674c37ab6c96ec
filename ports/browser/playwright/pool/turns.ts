/** Who waits for a turn. */
export interface Turns<Item> {
  add: (account: string, item: Item) => void
  /** For who does not wait any longer. */
  remove: (account: string, item: Item) => void
  /**
   * The next one, account after account whatever each has waiting, and of one account in the order
   * they came; null when nobody waits.
   */
  next: () => Item | null
  /** Everybody, who then waits no more. */
  clear: () => Item[]
}

/**
 * Makes a line in which every account is next after as many turns as there are accounts waiting.
 */
export function createTurns<Item>(): Turns<Item> {
  const waiting = new Map<string, Item[]>()
  return {
    add(account, item) {
      const line = waiting.get(account)
      if (line === undefined) waiting.set(account, [item])
      else line.push(item)
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
      // Behind all others.
      if (rest.length > 0) waiting.set(account, rest)
      return item as Item
    },
    clear() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    }
  }
}
