import type { Found, Rule, Sight } from './rule.ts'
import { clearlyOver } from './weight.ts'

const SLOW_MS = 3000
const VERY_SLOW_MS = 8000

export const slowResponse: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The site takes long to answer.',
  advice: 'Look for what the server does before it answers, and keep finished pages.',
  find
}

function find({
  facts: {
    runtime: { responseMs }
  }
}: Sight): Found | null {
  return clearlyOver(responseMs, SLOW_MS)
    ? { extent: clearlyOver(responseMs, VERY_SLOW_MS) ? 1 : 0.5, places: [], evidence: { responseMs } }
    : null
}
