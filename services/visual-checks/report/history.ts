import { html, type Html } from '../../../lib/html.ts'
import type { VisualCheckSummary } from '../../../schemas/visual-check.ts'
import { formatTime, pluralize } from './format.ts'

/** A check of the page with a score. */
export type HistoryEntry = Pick<VisualCheckSummary, 'overallScore' | 'createdAt'>

const WIDTH = 320
const HEIGHT = 56
/** Room for the stroke and the dots. */
const MARGIN = 5
/** Rows of the table below the line. */
const MAX_ROWS = 10

/**
 * The scores of the page over time as a line and as a table. `history` starts with the latest check.
 * Null for less than two checks.
 */
export function renderHistory(history: readonly HistoryEntry[]): Html | null {
  if (history.length < 2) return null
  const entries = history.toReversed()
  const scores = entries.map(({ overallScore }) => overallScore ?? 0)
  const points = toPoints(entries)
  const label = `Scores of the last ${history.length} checks, the latest at the end: ${scores.join(', ')}`
  const last = points.at(-1)!
  const rows = history
    .slice(0, MAX_ROWS)
    .map(({ createdAt, overallScore }) => html`<tr><td>${formatTime(createdAt)}</td><td>${overallScore}</td></tr>`)
  return html`<section class="history"><h2>History</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>
<circle cx="${last.x}" cy="${last.y}" r="3.5"/>
</svg>
<p class="muted">${pluralize(history.length, 'check')} since ${formatTime(entries[0]!.createdAt)},
lowest score ${Math.min(...scores)}, highest ${Math.max(...scores)}</p>
<details><summary>Scores by time</summary>
<table><thead><tr><th scope="col">Time</th><th scope="col">Score</th></tr></thead><tbody>${rows}</tbody></table>
</details>
</section>`
}

/** Times from left to right, scores of 0 to 100 from bottom to top. */
function toPoints(entries: readonly HistoryEntry[]): { x: number; y: number }[] {
  const times = entries.map(({ createdAt }) => Date.parse(createdAt))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const round = (value: number) => Math.round(value * 10) / 10
  return entries.map(({ overallScore }, index) => {
    // Checks of the same moment are spread evenly.
    const share = to > from ? (times[index]! - from) / (to - from) : index / (entries.length - 1)
    return {
      x: round(MARGIN + share * (WIDTH - 2 * MARGIN)),
      y: round(HEIGHT - MARGIN - ((overallScore ?? 0) / 100) * (HEIGHT - 2 * MARGIN))
    }
  })
}
