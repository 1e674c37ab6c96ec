import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, OneOf, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'

export const CHECK_STATUSES = ['queued', 'running', 'completed', 'blocked', 'unreachable', 'timeout', 'failed'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]
export const FINDING_CATEGORIES = ['content', 'layout', 'media', 'style', 'readability', 'metadata', 'runtime'] as const
export type FindingCategory = (typeof FINDING_CATEGORIES)[number]
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]
/** `review`: needs a person's decision. `flaky`: found by one of two inspections. Not scored. */
export const CONFIDENCES = ['certain', 'review', 'flaky'] as const
export type Confidence = (typeof CONFIDENCES)[number]
export const CHECK_TRIGGERS = ['request', 'schedule'] as const
export type CheckTrigger = (typeof CHECK_TRIGGERS)[number]
/** A phone in portrait orientation, and a laptop. */
export const VIEWPORT_NAMES = ['mobile', 'desktop'] as const
export type ViewportName = (typeof VIEWPORT_NAMES)[number]
export const ENVIRONMENTS = ['staging', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export const SCREENSHOT_DETAILS = ['none', 'thumbs', 'full'] as const
export type ScreenshotDetail = (typeof SCREENSHOT_DETAILS)[number]
export const SCREENSHOT_KINDS = ['thumb', 'viewport', 'page', 'crop', 'reference'] as const
export type ScreenshotKind = (typeof SCREENSHOT_KINDS)[number]

export const VisualCheckInput = Type.Object(
  {
    // No `format`: every URL that is not allowed gets the same error.
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'The http or https URL of the published page, on the public internet',
      examples: ['https://shop.example/blog/tea']
    }),
    viewports: Type.Optional(
      Type.Array(OneOf(VIEWPORT_NAMES), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        description: 'Default: both viewports'
      })
    ),
    environment: Type.Optional(
      OneOf(ENVIRONMENTS, {
        default: 'live',
        description: 'On `staging`, `noindex` is reported without affecting the score'
      })
    ),
    screenshots: Type.Optional(
      OneOf(SCREENSHOT_DETAILS, {
        default: 'thumbs',
        description:
          '`full` adds annotated screenshots of the viewport and the page, a crop of each finding, and how text ' +
          'that looks different should look'
      })
    )
  },
  { $id: 'VisualCheckInput', additionalProperties: false }
)
export type VisualCheckInput = Static<typeof VisualCheckInput>

export const PageBox = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  { description: 'CSS pixels, relative to the top left corner of the page' }
)

export const FindingLocation = Type.Object({
  viewport: OneOf(VIEWPORT_NAMES),
  selector: Type.String({ description: 'CSS selector of the element' }),
  box: Nullable(PageBox),
  block: Nullable(Type.Integer({ minimum: 0, description: 'Index of the text block in `htmlContent`, from 0' }))
})
export type FindingLocation = Static<typeof FindingLocation>

export const VisualFinding = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Z0-9_]+$' }),
    category: OneOf(FINDING_CATEGORIES),
    severity: OneOf(SEVERITIES),
    confidence: OneOf(CONFIDENCES, {
      description: 'Only `certain` findings are scored. `flaky` ones were found by one of two inspections'
    }),
    message: Type.String({ description: 'What is wrong' }),
    advice: Type.String({ description: 'How to fix the defect' }),
    viewports: Type.Array(OneOf(VIEWPORT_NAMES)),
    extent: Type.Number({ minimum: 0, maximum: 1, description: 'Affected share, rounded to quarters' }),
    scope: OneOf(['article', 'site'], { description: 'Whether the finding concerns the blog or the site around it' }),
    count: Type.Integer({ minimum: 1, description: 'Number of places. `locations` has the first ones' }),
    locations: Type.Array(FindingLocation),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'Measured values' }),
    expected: Type.Optional(Type.String()),
    actual: Type.Optional(Type.String())
  },
  { $id: 'VisualFinding' }
)
export type VisualFinding = Static<typeof VisualFinding>

export const VisualCheckScreenshot = Type.Object({
  name: Type.String(),
  kind: OneOf(SCREENSHOT_KINDS),
  viewport: OneOf(VIEWPORT_NAMES),
  finding: Nullable(
    Type.Integer({ minimum: 0, description: 'For a crop and a reference: index of the finding in `findings`' })
  ),
  url: Type.String({ description: 'Requires an API key of the account' }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 })
})
export type VisualCheckScreenshot = Static<typeof VisualCheckScreenshot>

const score = Type.Integer({ minimum: 0, maximum: 100 })

export const VisualCheck = Type.Object(
  {
    id: Id(),
    blogId: Id(),
    url: Type.String(),
    finalUrl: Nullable(Type.String({ description: 'URL after redirects' })),
    environment: OneOf(ENVIRONMENTS),
    trigger: OneOf(CHECK_TRIGGERS, {
      description: "Whether the check was requested or is part of the project's schedule"
    }),
    status: OneOf(CHECK_STATUSES, {
      description:
        '`blocked`, `unreachable` and `timeout`: the page could not be opened. Its score is 0. ' +
        '`failed`: the service could not run the check'
    }),
    overallScore: Nullable(score, {
      description: 'Null until the check is finished, and if its status is `failed`'
    }),
    reason: Nullable(Type.String({ description: 'Why the page could not be opened, or why the check failed' })),
    categories: Nullable(
      Type.Object(
        Object.fromEntries(FINDING_CATEGORIES.map((name) => [name, score])) as Record<FindingCategory, typeof score>
      )
    ),
    findings: Type.Array(Ref(VisualFinding), { description: 'Sorted by severity, the most severe first' }),
    coverage: Nullable(
      Type.Object({
        inDom: Type.Number({ description: 'Share of the text in the page' }),
        visible: Type.Number({ description: 'Share of the text that is visible' }),
        cssHeld: Type.Number({ description: "Share of the blog's CSS declarations that are applied" }),
        compared: Type.Optional(
          Type.Number({
            description:
              'Share of the text in blocks compared with a reference rendering. Missing in checks of version 1'
          })
        ),
        measured: Type.Optional(
          Type.Number({
            description:
              'Share of the text whose legibility is known. Text on pictures and below masks is measured in ' +
              'screenshots: for at most 3 seconds, in the first 12,000 pixels of a page. Missing in older checks'
          })
        )
      })
    ),
    screenshots: Type.Array(VisualCheckScreenshot),
    since: Nullable(
      Type.Object({
        checkId: Id({ description: 'Previous check of the same page with a score' }),
        overallScore: Nullable(score),
        appeared: Type.Array(Type.String(), { description: 'Codes that the previous check did not find' }),
        gone: Type.Array(Type.String(), { description: 'Codes that only the previous check found' })
      })
    ),
    checker: Nullable(
      Type.Object({
        version: Type.String({
          description: 'Version of all rules. Scores of different versions are not comparable'
        }),
        chromium: Type.String(),
        fonts: Type.Object({
          missing: Type.Array(Type.String(), {
            description: 'Scripts of the text without a font on the checking machine'
          })
        }),
        rules: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
          description: 'Version of each rule, by finding code'
        })
      })
    ),
    timings: Nullable(
      Type.Object({
        queuedMs: Type.Integer(),
        totalMs: Type.Integer(),
        viewports: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()))
      })
    ),
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp())
  },
  { $id: 'VisualCheck' }
)
export type VisualCheck = Static<typeof VisualCheck>

export const VisualCheckSummary = Type.Pick(
  VisualCheck,
  [
    'id',
    'blogId',
    'url',
    'finalUrl',
    'environment',
    'trigger',
    'status',
    'overallScore',
    'reason',
    'createdAt',
    'finishedAt'
  ],
  { $id: 'VisualCheckSummary' }
)
export type VisualCheckSummary = Static<typeof VisualCheckSummary>

export const VisualCheckList = Type.Object(
  { visualChecks: Type.Array(Ref(VisualCheckSummary)), ...PageTotals },
  { $id: 'VisualCheckList' }
)
export type VisualCheckList = Static<typeof VisualCheckList>
