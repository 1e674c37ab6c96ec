/** A member of a JSON object: the offsets of its value in the text. */
export interface MemberRange {
  valueStart: number
  valueEnd: number
}

const STRUCTURE = /["{}[\],]/g
const VALUE_START = /\s*:\s*/y

/**
 * Finds the last member of this name at the top level of a JSON object; the last one counts
 * (RFC 8259, section 4). Null if there is none. The text must be a valid JSON object.
 * In linear time: a reviver of JSON.parse takes a second for a line with 500,000 values.
 */
export function findLastMember(text: string, name: string): MemberRange | null {
  let found: MemberRange | null = null
  let isOpen = false
  let depth = 0
  let isKeyNext = false
  const endMember = (at: number): void => {
    if (isOpen) found!.valueEnd = at
    isOpen = false
  }
  STRUCTURE.lastIndex = 0
  for (let mark = STRUCTURE.exec(text); mark !== null; mark = STRUCTURE.exec(text)) {
    const { index } = mark
    const character = mark[0]
    if (character === '"') {
      const end = endOfString(text, index)
      STRUCTURE.lastIndex = end
      if (isKeyNext && isName(text.slice(index, end), name)) {
        VALUE_START.lastIndex = end
        VALUE_START.exec(text)
        found = { valueStart: VALUE_START.lastIndex, valueEnd: text.length }
        isOpen = true
      }
      isKeyNext = false
    } else if (character === ',') {
      if (depth !== 1) continue
      endMember(index)
      isKeyNext = true
    } else if (character === '{' || character === '[') {
      depth++
      isKeyNext = depth === 1
    } else {
      depth--
      if (depth === 0) endMember(index)
      isKeyNext = false
    }
  }
  return found
}

/** The offset after a string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  return text.length
}

/** Whether a key, with its quotes and escapes, is this name. */
function isName(key: string, name: string): boolean {
  // Each character may be escaped as \u and four digits.
  return key.length <= 6 * name.length + 2 && JSON.parse(key) === name
}
