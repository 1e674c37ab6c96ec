import type { ExpectedPage } from '../../services/visual-checks/rules/rule.ts'

/** A page to check. Plain data: pages come from another process. */
export interface BenchPage {
  id: string
  url: string
  expected: ExpectedPage
  /** The codes that name the defect of the page. Empty: no defect. Null: unknown. */
  expectedCodes: string[] | null
}

/** Runs a task for each item, at most `concurrency` at a time. Results are in the items' order. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  task: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const runLane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  await Promise.all(Array.from({ length: concurrency }, runLane))
  return results
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Picks `count` items, evenly spread over all. */
export function pickEvenly<Item>(items: readonly Item[], count: number): Item[] {
  const size = Math.min(count, items.length)
  return Array.from({ length: size }, (_, index) => items[Math.floor((index * items.length) / size)]!)
}

export function countBy<Item>(items: readonly Item[], getKey: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(getKey(item), (counts.get(getKey(item)) ?? 0) + 1)
  return counts
}
