/** A part of a line. `isChanged`: the other line does not have it. */
export interface DiffPart {
  text: string
  isChanged: boolean
}

/** A line of a comparison, or unchanged lines that are left out. */
export type DiffRow = { kind: 'same' | 'removed' | 'added'; parts: DiffPart[] } | { kind: 'gap'; count: number }

interface Edit {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Texts with more changed lines are compared as a whole between their first and last difference. */
const MAX_CHANGED_LINES = 1500
/** Lines with more changed words are shown as replaced. */
const MAX_CHANGED_WORDS = 200
const MAX_LINE_LENGTH = 20_000
/** Unchanged lines around a change. */
const CONTEXT_LINES = 2
/** Lines are similar if they share at least this part of their characters. */
const MIN_SHARED = 0.3

/** Words, spaces, and single other characters. */
const WORDS = /[\p{L}\p{N}_]+|\s+|./gu

/**
 * Compares two texts line by line, and changed lines word by word. Unchanged lines far from a change
 * are left out.
 */
export function diffLines(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = (): void => {
    // There may be a million lines, which are too many for arguments.
    for (const row of diffBlock(removed, added)) rows.push(row)
    removed = []
    added = []
  }
  for (const { kind, text } of diffSequences(linesOf(before), linesOf(after), MAX_CHANGED_LINES)) {
    if (kind === 'removed') removed.push(text)
    else if (kind === 'added') added.push(text)
    else {
      flush()
      rows.push({ kind, parts: [{ text, isChanged: false }] })
    }
  }
  flush()
  return leaveOutUnchanged(rows)
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** Removed lines, then the added lines that replace them. */
function diffBlock(removed: string[], added: string[]): DiffRow[] {
  const pairs = removed.slice(0, added.length).map((line, at) => diffWords(line, added[at]!))
  const toRows = (kind: 'removed' | 'added', lines: string[]): DiffRow[] =>
    lines.map((text, at) => ({ kind, parts: pairs[at]?.[kind] ?? [{ text, isChanged: false }] }))
  return [...toRows('removed', removed), ...toRows('added', added)]
}

/** The parts of two lines; null if they are too different to compare. */
function diffWords(before: string, after: string): { removed: DiffPart[]; added: DiffPart[] } | null {
  if (before.length + after.length > MAX_LINE_LENGTH) return null
  const edits = diffSequences(before.match(WORDS) ?? [], after.match(WORDS) ?? [], MAX_CHANGED_WORDS)
  const shared = edits.reduce((length, { kind, text }) => length + (kind === 'same' ? text.trim().length : 0), 0)
  if (shared < MIN_SHARED * Math.max(before.length, after.length)) return null
  const partsOf = (side: 'removed' | 'added'): DiffPart[] => {
    const parts: DiffPart[] = []
    for (const { kind, text } of edits) {
      if (kind !== 'same' && kind !== side) continue
      const last = parts.at(-1)
      if (last?.isChanged === (kind === side)) last.text += text
      else parts.push({ text, isChanged: kind === side })
    }
    return parts
  }
  return { removed: partsOf('removed'), added: partsOf('added') }
}

/** Replaces unchanged lines that are not near a change by their number, unless there is only one. */
function leaveOutUnchanged(rows: DiffRow[]): DiffRow[] {
  const isNear = new Array<boolean>(rows.length).fill(false)
  for (const [at, { kind }] of rows.entries()) {
    if (kind !== 'same') isNear.fill(true, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1)
  }
  const result: DiffRow[] = []
  for (const [at, row] of rows.entries()) {
    const last = result.at(-1)
    if (isNear[at] || (isNear[at - 1] && isNear[at + 1])) result.push(row)
    else if (last?.kind === 'gap') last.count += 1
    else result.push({ kind: 'gap', count: 1 })
  }
  return result
}

/**
 * The shortest list of edits that turns one sequence into the other. With more than `maxEdits`, all of
 * what lies between their common beginning and end is replaced.
 */
export function diffSequences(before: readonly string[], after: readonly string[], maxEdits: number): Edit[] {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return [
    ...toEdits('same', before.slice(0, start)),
    ...(shortestEdits(from, to, maxEdits) ?? [...toEdits('removed', from), ...toEdits('added', to)]),
    ...toEdits('same', before.slice(before.length - end))
  ]
}

const toEdits = (kind: Edit['kind'], texts: string[]): Edit[] => texts.map((text) => ({ kind, text }))

/**
 * The greedy algorithm of Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986):
 * `reach[k]` is how far a path with the current number of edits gets in `from` on the diagonal k.
 * Null if more than `maxEdits` are needed.
 */
function shortestEdits(from: string[], to: string[], maxEdits: number): Edit[] | null {
  const most = Math.min(maxEdits, from.length + to.length)
  const center = most + 1
  const reach = new Int32Array(2 * most + 3)
  const history: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice(center - edits - 1, center + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && reach[center + k - 1]! < reach[center + k + 1]!)
      let x = isDown ? reach[center + k + 1]! : reach[center + k - 1]! + 1
      while (x < from.length && x - k < to.length && from[x] === to[x - k]) x += 1
      reach[center + k] = x
      if (x >= from.length && x - k >= to.length) return readBack(from, to, history)
    }
  }
  return null
}

/** Follows the path back from its end. `history[d]` is what paths with d - 1 edits reached. */
function readBack(from: string[], to: string[], history: Int32Array[]): Edit[] {
  const edits: Edit[] = []
  let [x, y] = [from.length, to.length]
  for (let d = history.length - 1; d >= 0; d--) {
    const reach = history[d]!
    const k = x - y
    const at = (diagonal: number): number => reach[diagonal + d + 1]!
    const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const previousX = d === 0 ? 0 : isDown ? at(k + 1) : at(k - 1)
    const previousY = d === 0 ? 0 : previousX - (isDown ? k + 1 : k - 1)
    while (x > previousX && y > previousY) {
      edits.push({ kind: 'same', text: from[--x]! })
      y -= 1
    }
    if (d === 0) break
    edits.push(isDown ? { kind: 'added', text: to[--y]! } : { kind: 'removed', text: from[--x]! })
  }
  return edits.reverse()
}
