export type Undecided = ReturnType<typeof createUndecided>

/** Counts what the shared log was asked to admit and has not decided yet, bucket by bucket: it may still be admitted there, so who decides alone meanwhile leaves room for it. */
export function createUndecided () {
  const costs = new Map<string, number>()
  const of = (bucket: string): number => costs.get(bucket) ?? 0
  return {
    of,
    add (bucket: string, cost: number): void { if (cost > 0) costs.set(bucket, of(bucket) + cost) },
    remove (bucket: string, cost: number): void {
      const left = of(bucket) - cost
      if (left > 0) costs.set(bucket, left)
      else costs.delete(bucket)
    }
  }
}
