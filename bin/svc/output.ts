import type { OutputStream } from './command.ts'

/** Characters that control a terminal, or change the direction of writing (https://trojansource.codes). */
const CONTROLS = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu
/** The styles that commands use themselves: none of them hides text. */
const STYLE = /^\u001b\[(?:1|2|22|31|32|33|36|39)m/

/**
 * Output of a command without the control characters of stored texts, such as names of keys and titles of
 * posts: they could clear the screen, or forge lines. Line breaks, tabs and our styles stay.
 */
export const toPrintable = (text: string): string =>
  text.replace(CONTROLS, (character, index: number) =>
    character === '\n' || character === '\t' || (character === '\u001b' && STYLE.test(text.slice(index, index + 8)))
      ? character
      : ''
  )

/** JSON on one line, with control characters as escape sequences. */
export const toPrintableJson = (value: unknown): string =>
  JSON.stringify(value).replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A number with what it counts, such as `1 row` and `1,200 rows`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`

/**
 * The lines of a table: the first column left-aligned, all others right-aligned, each as wide as
 * its longest cell.
 */
export function formatTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
  return [line(head), ...rows.map(line)]
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000]
] as const

/** A duration in its largest whole unit, such as `3 min`; `-` for 0. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '-'
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size) ?? ['ms', 1]
  return `${Math.floor(ms / unitMs)} ${unit}`
}

const BAR_WIDTH = 30
const REDRAW_MS = 100
const CLEAR_LINE = '\r\u001b[K'

export interface ProgressBar {
  update: (done: number) => void
  /** Writes a message; the bar continues below it. */
  interrupt: (message: string) => void
}

/**
 * A progress bar with the rate and the remaining time. On a terminal it is redrawn in place; in
 * other streams it writes a line for every tenth of the total. `singular`: what is counted.
 */
export function createProgressBar(stream: OutputStream, total: number, singular: string): ProgressBar {
  const isTerminal = stream.isTTY === true
  const start = performance.now()
  let drawnAt = 0
  let lastTenth = 0

  function line(done: number): string {
    const seconds = (performance.now() - start) / 1000
    const rate = done / Math.max(seconds, 0.001)
    const filled = Math.round((BAR_WIDTH * done) / Math.max(total, 1))
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
    const left = Math.ceil((total - done) / Math.max(rate, 0.001))
    const time = done < total ? `${left} s left` : `${seconds.toFixed(1)} s`
    return `${bar} ${done}/${total} ${total === 1 ? singular : `${singular}s`}  ${rate.toFixed(0)}/s  ${time}`
  }

  return {
    update(done) {
      if (isTerminal) {
        if (performance.now() - drawnAt < REDRAW_MS && done < total) return
        drawnAt = performance.now()
        stream.write(`${CLEAR_LINE}${line(done)}${done === total ? '\n' : ''}`)
        return
      }
      const tenth = Math.floor((10 * done) / Math.max(total, 1))
      if (tenth <= lastTenth) return
      lastTenth = tenth
      stream.write(`${line(done)}\n`)
    },
    interrupt(message) {
      stream.write(`${isTerminal ? CLEAR_LINE : ''}${toPrintable(message)}\n`)
    }
  }
}
