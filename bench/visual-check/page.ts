import type { Expected } from '../../services/visual-checks/findings/rule.ts'

/** A page to check, and what is known of it. Plain data, for it comes from another process. */
export interface CheckedPage {
  id: string
  url: string
  /** Our own side. */
  expected: Expected
  /**
   * The codes each of which names its defect; empty where there is nothing wrong with it; null
   * where nobody knows.
   */
  named: string[] | null
}
