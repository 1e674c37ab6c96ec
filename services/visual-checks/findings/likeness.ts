import { normalText } from './normal-text.ts'

function triplesOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)))
}

/**
 * How alike two texts are, 0 to 1: the Dice coefficient of their runs of three characters, after
 * what makes no difference is folded.
 */
export function likeness(one: string, other: string): number {
  const [a, b] = [normalText(one), normalText(other)]
  if (a === b) return 1
  const [left, right] = [triplesOf(a), triplesOf(b)]
  return left.size + right.size === 0 ? 0 : (2 * left.intersection(right).size) / (left.size + right.size)
}

/** Whether a text holds another, or is it but for a word or two. */
export function tells(text: string, wanted: string): boolean {
  return normalText(text).includes(normalText(wanted)) || likeness(text, wanted) >= 0.8
}
