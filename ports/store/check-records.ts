import type {
  CheckStatus,
  Environment,
  ScreenshotDetail,
  ViewportName,
  VisualCheck,
  VisualCheckScreenshot
} from '../../schemas/visual-check.ts'

/** Times in records are RFC 3339 strings with milliseconds and `Z`, so that they sort as text. */
type Time = string

/** What lists need of a visual check. Unique by id; a later check has the greater id. */
export interface VisualCheckMetadata {
  id: string
  accountId: string
  /** The project of the blog when the check was asked for. */
  projectId: string
  blogId: string
  url: string
  finalUrl: string | null
  environment: Environment
  viewports: ViewportName[]
  /** Which pictures were asked for. */
  detail: ScreenshotDetail
  status: CheckStatus
  overallScore: number | null
  reason: string | null
  /** How often somebody began to work on it; the number of the run that goes on. */
  attempts: number
  createdAt: Time
  /** When the last run began; null while nobody works on it. */
  startedAt: Time | null
  finishedAt: Time | null
}

/** What came of a check. The pictures are files. */
export interface VisualCheckResult
  extends Pick<VisualCheck, 'categories' | 'findings' | 'coverage' | 'since' | 'checker' | 'timings'> {
  screenshots: Omit<VisualCheckScreenshot, 'url'>[]
}

export interface VisualCheckRecord extends VisualCheckMetadata {
  /** Null until it has ended. */ result: VisualCheckResult | null
}
