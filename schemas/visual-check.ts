import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, OneOf, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'

export const CHECK_STATUSES = ['queued', 'running', 'completed', 'blocked', 'unreachable', 'timeout', 'failed'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]
export const FINDING_CATEGORIES = ['content', 'layout', 'media', 'style', 'readability', 'metadata', 'runtime'] as const
export type FindingCategory = (typeof FINDING_CATEGORIES)[number]
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]
/** `review`: for a person to judge; `flaky`: seen only once of two times. Neither is scored. */
export const CONFIDENCES = ['certain', 'review', 'flaky'] as const
export type Confidence = (typeof CONFIDENCES)[number]
/** A telephone held upright, and a laptop. */
export const VIEWPORT_NAMES = ['mobile', 'desktop'] as const
export type ViewportName = (typeof VIEWPORT_NAMES)[number]
export const ENVIRONMENTS = ['staging', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export const SCREENSHOT_DETAILS = ['none', 'thumbs', 'full'] as const
export type ScreenshotDetail = (typeof SCREENSHOT_DETAILS)[number]
export const SCREENSHOT_KINDS = ['thumb', 'viewport', 'page', 'crop'] as const
export type ScreenshotKind = (typeof SCREENSHOT_KINDS)[number]

export const VisualCheckInput = Type.Object(
  {
    // What is no http(s) address, or has a name and password in it, is refused in the same words as
    // one that leads nowhere public.
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'The published page, as a reader opens it: an http or https address on the public internet',
      examples: ['https://shop.example/blog/tea']
    }),
    viewports: Type.Optional(
      Type.Array(OneOf(VIEWPORT_NAMES), { minItems: 1, maxItems: 2, uniqueItems: true, description: 'Default: both' })
    ),
    environment: Type.Optional(
      OneOf(ENVIRONMENTS, {
        default: 'live',
        description: 'What is not yet meant for search engines may say so on staging'
      })
    ),
    screenshots: Type.Optional(
      OneOf(SCREENSHOT_DETAILS, {
        default: 'thumbs',
        description: '`full` adds pictures of the viewport and of the page with what was found, and one of each finding'
      })
    )
  },
  { $id: 'VisualCheckInput', additionalProperties: false }
)
export type VisualCheckInput = Static<typeof VisualCheckInput>

export const PageBox = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  { description: 'CSS pixels from the top left of the page' }
)

export const FindingLocation = Type.Object({
  viewport: OneOf(VIEWPORT_NAMES),
  selector: Type.String({ description: 'Leads to the element in the page' }),
  box: Nullable(PageBox),
  block: Nullable(
    Type.Integer({ minimum: 0, description: 'The block of text of `htmlContent` that it is about, counted from 0' })
  )
})
export type FindingLocation = Static<typeof FindingLocation>

export const VisualFinding = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Z0-9_]+$' }),
    category: OneOf(FINDING_CATEGORIES),
    severity: OneOf(SEVERITIES),
    confidence: OneOf(CONFIDENCES, {
      description: 'Only `certain` ones are scored; `flaky` ones were seen once of two times'
    }),
    message: Type.String({ description: 'What is wrong, in one sentence' }),
    advice: Type.String({ description: 'What to do about it' }),
    viewports: Type.Array(OneOf(VIEWPORT_NAMES)),
    extent: Type.Number({ minimum: 0, maximum: 1, description: 'The share that is affected, in quarters' }),
    scope: OneOf(['article', 'site'], { description: "The blog itself, or the site's own frame around it" }),
    count: Type.Integer({ minimum: 1, description: 'How many places; `locations` has the first of them' }),
    locations: Type.Array(FindingLocation),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'What was measured' }),
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
  finding: Nullable(Type.Integer({ minimum: 0, description: 'Of a crop: the place of the finding in `findings`' })),
  url: Type.String({ description: 'Asks for an API key of the account' }),
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
    finalUrl: Nullable(Type.String({ description: 'Where redirects led' })),
    environment: OneOf(ENVIRONMENTS),
    status: OneOf(CHECK_STATUSES),
    overallScore: Nullable(score, {
      description: '0 to 100; null while it runs, and where the page could not be judged'
    }),
    reason: Nullable(Type.String({ description: 'Why there is no score' })),
    categories: Nullable(
      Type.Object(
        Object.fromEntries(FINDING_CATEGORIES.map((name) => [name, score])) as Record<FindingCategory, typeof score>
      )
    ),
    findings: Type.Array(Ref(VisualFinding), { description: 'The worst first' }),
    coverage: Nullable(
      Type.Object({
        inDom: Type.Number({ description: 'Share of the text that is in the page' }),
        visible: Type.Number({ description: 'Share of the text that a reader can see' }),
        cssHeld: Type.Number({ description: "Share of the blog's own CSS declarations that are in force" })
      })
    ),
    screenshots: Type.Array(VisualCheckScreenshot),
    since: Nullable(
      Type.Object({
        checkId: Id({ description: 'The check of the same page before this one' }),
        overallScore: Nullable(score),
        appeared: Type.Array(Type.String(), { description: 'Codes that are new' }),
        gone: Type.Array(Type.String(), { description: 'Codes that are no longer found' })
      })
    ),
    checker: Nullable(
      Type.Object({
        version: Type.String({
          description: 'Of the rules as a whole; scores of different versions are not to be compared'
        }),
        chromium: Type.String(),
        fonts: Type.Object({
          missing: Type.Array(Type.String(), {
            description:
              'Scripts of the text for which this machine has no font: what is found about them is for a person to judge'
          })
        }),
        rules: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
          description: 'The version of each rule by its code'
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
  ['id', 'blogId', 'url', 'finalUrl', 'environment', 'status', 'overallScore', 'reason', 'createdAt', 'finishedAt'],
  { $id: 'VisualCheckSummary' }
)
export type VisualCheckSummary = Static<typeof VisualCheckSummary>

export const VisualCheckList = Type.Object(
  { visualChecks: Type.Array(Ref(VisualCheckSummary)), ...PageTotals },
  { $id: 'VisualCheckList' }
)
export type VisualCheckList = Static<typeof VisualCheckList>
