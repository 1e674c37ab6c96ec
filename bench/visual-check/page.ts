import type { ExpectedPage } from '../../services/visual-checks/rules/rule.ts'

/** A page to check, and what is known of it. Plain data, for it comes from another process. */
export interface BenchPage {
  id: string
  url: string
  /** Our own side. */
  expected: ExpectedPage
  /**
   * The codes each of which names its defect; empty where there is nothing wrong with it; null
   * where nobody knows.
   */
  named: string[] | null
}
