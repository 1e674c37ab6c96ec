const MAX_DISTANCE = 2

/** A sentence with the names that differ from what was typed by at most two letters; empty if there are none. */
export function suggest(typed: readonly string[], names: readonly string[], format = (name: string) => name): string {
  const words = typed.filter((word) => word.length > MAX_DISTANCE)
  const similar = names.filter((name) => words.some((word) => editDistance(word, name) <= MAX_DISTANCE))
  return similar.length === 0 ? '' : ` Did you mean ${similar.map(format).join(' or ')}?`
}

/** Insertions, deletions and replacements of letters (Levenshtein) that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced))
    }
    previous = current
  }
  return previous[b.length]!
}
