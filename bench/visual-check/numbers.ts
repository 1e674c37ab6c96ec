export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** So many of them, evenly spread over all. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  const taken = Math.min(count, items.length)
  return Array.from({ length: taken }, (_, index) => items[Math.floor((index * items.length) / taken)]!)
}
