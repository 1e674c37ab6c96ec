import type { ViewportSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { Expected } from '../../../../services/visual-checks/findings/rule.ts'

export type Change = (facts: ViewportSnapshot, expected: Expected) => void

/** What a rule tells, and beside it what it does not. Each in words that end a sentence. */
export interface Case {
  found: string
  change: Change
  harmless: string
  spare: Change
}
