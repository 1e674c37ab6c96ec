/**
 * The places, as indices, of one longest strictly rising run among numbers: what is left over
 * stands out of order.
 */
export function longestRun(numbers: readonly number[]): Set<number> {
  const tails: number[] = []
  const before = numbers.map((number, at) => {
    const found = tails.findIndex((tail) => numbers[tail]! >= number)
    const length = found === -1 ? tails.length : found
    tails[length] = at
    return tails[length - 1]
  })
  const run = new Set<number>()
  for (let at = tails.at(-1); at !== undefined; at = before[at]) run.add(at)
  return run
}
