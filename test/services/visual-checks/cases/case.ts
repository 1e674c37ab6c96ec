import type { ViewportSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { ExpectedPage } from '../../../../services/visual-checks/rules/rule.ts'

export type Change = (facts: ViewportSnapshot, expected: ExpectedPage) => void

/** What a rule tells, and beside it what it does not. Each in words that end a sentence. */
export interface Case {
  found: string
  change: Change
  harmless: string
  spare: Change
}
