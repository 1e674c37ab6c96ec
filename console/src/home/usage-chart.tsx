import type { Usage } from '../../../schemas/account.ts'
import { formatNumber } from '../format.ts'
import { useWidth } from '../ui/use-width.ts'

const HOURS = 24
const HOUR_MS = 3_600_000
const HEIGHT = 160
const BASE = HEIGHT - 22

interface Bar {
  hour: Date
  requests: number
  refused: number
}

/** The last 24 hours. Hours without requests are missing from the response. */
function toBars({ hours }: Usage, nowMs: number): Bar[] {
  const byTime = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]))
  const current = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return Array.from({ length: HOURS }, (_, index) => {
    const at = current - (HOURS - 1 - index) * HOUR_MS
    const { requests = 0, refused = 0 } = byTime.get(at) ?? {}
    return { hour: new Date(at), requests, refused }
  })
}

const hourText = (hour: Date): string => `${String(hour.getHours()).padStart(2, '0')}:00`

/** A scale that ends at a round number, so that small numbers stay visible below a large limit. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(10, value)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value)!
}

/** Requests of API keys in the last 24 hours, with rejected ones, and the limit where it is in range. */
export function UsageChart({ usage }: { usage: Usage }) {
  const [figure, width] = useWidth<HTMLElement>(720)
  const step = width / HOURS
  const bars = toBars(usage, Date.now())
  const highest = Math.max(...bars.map(({ requests, refused }) => requests + refused))
  const maximum = niceMaximum(highest > usage.limit / 4 ? Math.max(highest, usage.limit) : highest)
  const y = (value: number): number => BASE - (value / maximum) * (BASE - 14)
  const total = bars.reduce((sum, { requests }) => sum + requests, 0)
  const refused = bars.reduce((sum, bar) => sum + bar.refused, 0)
  const summary = `${formatNumber(total)} requests in 24 hours, ${formatNumber(refused)} rejected with status 429.`
  return (
    <figure class="chart" ref={figure}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={summary}>
        {[0, maximum / 2, maximum].map((value) => (
          <g key={value}>
            <line class="grid" x1="0" x2={width} y1={y(value)} y2={y(value)} />
            {value > 0 && (
              <text x="0" y={y(value) - 3}>
                {formatNumber(value)}
              </text>
            )}
          </g>
        ))}
        {usage.limit <= maximum && (
          <line class="limit" x1="0" x2={width} y1={y(usage.limit)} y2={y(usage.limit)}>
            <title>{`Limit: ${formatNumber(usage.limit)}`}</title>
          </line>
        )}
        {bars.map((bar, index) => {
          const x = (index + 0.15) * step
          const allowed = y(bar.requests)
          const top = y(bar.requests + bar.refused)
          return (
            <g key={index} class="hour">
              <title>{`${hourText(bar.hour)}: ${bar.requests} requests, ${bar.refused} rejected`}</title>
              <rect class="hit" x={x - step * 0.15} width={step} y="0" height={BASE} />
              <rect class="bar" x={x} width={step * 0.7} y={allowed} height={BASE - allowed} rx="2" />
              <rect class="refused" x={x} width={step * 0.7} y={top} height={allowed - top} rx="2" />
              {index % 6 === 2 && (
                <text class="hour-text" x={x + step * 0.35} y={HEIGHT - 4}>
                  {hourText(bar.hour)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <figcaption class="muted small">{summary}</figcaption>
    </figure>
  )
}
