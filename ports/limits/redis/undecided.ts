export interface Ask {
  bucket: string
  cost: number
}

/**
 * Keeps what the shared log was asked to admit and has not decided yet, bucket by bucket: it may
 * still be admitted there, so who decides alone meanwhile leaves room for it.
 */
export function createUndecided() {
  const asks = new Map<string, Set<Ask>>()
  return {
    add(ask: Ask): void {
      let own = asks.get(ask.bucket)
      if (own === undefined) asks.set(ask.bucket, (own = new Set()))
      own.add(ask)
    },
    remove(ask: Ask): void {
      const own = asks.get(ask.bucket)
      own?.delete(ask)
      if (own?.size === 0) asks.delete(ask.bucket)
    },
    /**
     * What was asked before this, or in all: the log decides in the order in which it is asked, so
     * what came later takes nothing from it.
     */
    before(bucket: string, ask?: Ask): number {
      let cost = 0
      for (const one of asks.get(bucket) ?? []) {
        if (one === ask) break
        cost += one.cost
      }
      return cost
    }
  }
}
