import type { PageInspection } from '../../ports/browser/port.ts'
import type { BlockSnapshot, ViewportSnapshot } from '../../ports/browser/port/page-snapshot.ts'
import type { FindingCategory, ViewportName, VisualCheck, VisualFinding } from '../../schemas/visual-check.ts'
import { mergeHits, type ViewportHit } from './findings.ts'
import { FATAL_CODES, type FindingCode } from './rules/codes.ts'
import { getShare, isReadable } from './rules/helpers/blocks.ts'
import { hashSiteTexts } from './rules/helpers/site-texts.ts'
import { getMatchedShare } from './rules/helpers/text-match.ts'
import { round, usesScript } from './rules/helpers/text.ts'
import { getRule, RULES } from './rules/index.ts'
import { UNOPENED_CODES } from './rules/opening.ts'
import type { ExpectedPage } from './rules/rule.ts'
import { computeScore } from './score.ts'
import { removeSuppressed } from './suppression.ts'

/** Incremented whenever the same snapshots may get another score. */
export const CHECKER_VERSION = '13'

export type Coverage = NonNullable<VisualCheck['coverage']>

export interface Evaluation {
  overallScore: number
  categories: Record<FindingCategory, number>
  findings: VisualFinding[]
  coverage: Coverage
  /** The version of each rule by its code. */
  rules: Record<string, number>
  /** Hashes of the texts of the site in and around the article. */
  siteTexts: string[]
}

export interface EvaluationInput {
  /** One for each viewport. */
  snapshots: ViewportSnapshot[]
  expected: ExpectedPage
  /** Scripts (Unicode names) for which the machine has no font. */
  missingFonts: string[]
}

const RULE_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(
  RULES.map(({ code, version }) => [code, version])
)
/** Characters of these scripts are as wide as high in every font. */
const FULL_WIDTH_SCRIPTS: readonly string[] = ['Han', 'Hiragana', 'Katakana', 'Hangul']
/** Findings that depend on character widths, which fallback boxes for missing glyphs do not have. */
const FONT_DEPENDENT: readonly FindingCode[] = ['LINE_TOO_LONG', 'COLUMN_TOO_NARROW']

/**
 * Finds the defects of a page and computes its score. Pure: the same snapshots give the same
 * evaluation, in any order of the viewports.
 */
export function evaluate({ snapshots, expected, missingFonts }: EvaluationInput): Evaluation {
  const uncertainScripts = missingFonts.filter((script) => !FULL_WIDTH_SCRIPTS.includes(script))
  const hits = snapshots.flatMap((snapshot) => {
    const detected = detectAll(snapshot, expected)
    return uncertainScripts.length === 0 ? detected : markForReview(detected, { snapshot, uncertainScripts })
  })
  const findings = mergeHits(removeSuppressed(hits))
  return {
    ...scoreFindings(findings),
    findings,
    coverage: getCoverage(snapshots),
    rules: { ...RULE_VERSIONS },
    siteTexts: hashSiteTexts(snapshots)
  }
}

/**
 * The evaluation of a page that could not be opened. Nothing else is known about it, so its scores
 * and its coverage are 0. Throws for an inspected page.
 */
export function evaluateUnopened(
  { outcome, reason }: Pick<PageInspection, 'outcome' | 'reason'>,
  viewports: readonly ViewportName[]
): Evaluation {
  if (outcome === 'inspected') throw new Error('An inspected page is evaluated by its snapshots')
  const { code, category, severity, scope } = getRule(UNOPENED_CODES[outcome])
  const hits = viewports.map(
    (viewport): ViewportHit => ({
      ...{ code, category, severity, scope, viewport, confidence: 'certain', extent: 1, places: [] },
      evidence: { reason }
    })
  )
  const findings = mergeHits(hits)
  const coverage = { inDom: 0, visible: 0, cssHeld: 0, compared: 0, measured: 0 }
  return { ...scoreFindings(findings), findings, coverage, rules: { ...RULE_VERSIONS }, siteTexts: [] }
}

/** Scores findings. Only certain ones count. */
export const scoreFindings = (findings: readonly VisualFinding[]) =>
  computeScore(
    findings.map(({ code, category, severity, extent, confidence }) => ({
      category,
      severity,
      extent,
      scored: confidence === 'certain',
      fatal: FATAL_CODES.includes(code)
    }))
  )

/** For an HTTP error, only the error itself and the runtime rules are reported. */
function detectAll(snapshot: ViewportSnapshot, expected: ExpectedPage): ViewportHit[] {
  const isError = snapshot.runtime.status >= 400
  const rules = isError ? RULES.filter(({ code, category }) => code === 'HTTP_ERROR' || category === 'runtime') : RULES
  return rules.flatMap(({ code, category, severity, scope, detect }): ViewportHit[] => {
    const hit = detect({ snapshot, expected })
    return hit === null
      ? []
      : [{ category, severity, scope, confidence: 'certain', ...hit, code, viewport: snapshot.viewport }]
  })
}

/** Marks font-dependent hits on text without a font for review. */
function markForReview(
  hits: readonly ViewportHit[],
  { snapshot: { blocks }, uncertainScripts }: { snapshot: ViewportSnapshot; uncertainScripts: readonly string[] }
): ViewportHit[] {
  const lacksFont = (index: number) =>
    usesScript(blocks.find((block) => block.index === index)?.text ?? '', uncertainScripts)
  const pageLacksFont = usesScript(blocks.map(({ text }) => text).join(' '), uncertainScripts)
  const isUncertain = ({ code, places }: ViewportHit) => {
    if (!FONT_DEPENDENT.includes(code)) return false
    const affected = places.flatMap(({ block }) => (block === undefined ? [] : [block]))
    return affected.length === 0 ? pageLacksFont : affected.filter(lacksFont).length > affected.length / 2
  }
  return hits.map((hit) => (isUncertain(hit) ? { ...hit, confidence: 'review' } : hit))
}

/** A block counts as compared if most of its characters were. Emoji and some punctuation never are. */
const MIN_COMPARED_SHARE = 0.5

/** The share of the blog's blocks, by their text, that were compared with the reference rendering. */
function getComparedShare(blocks: readonly BlockSnapshot[]): number {
  const isCompared = ({ appearance }: BlockSnapshot) => (appearance?.comparedShare ?? 0) >= MIN_COMPARED_SHARE
  return blocks.length === 0 ? 1 : getShare(blocks.filter(isCompared), blocks)
}

const isUnmeasured = ({ visibility }: BlockSnapshot): boolean => visibility?.unmeasured === true

/** How much of the blog is in the page, is readable, and of its CSS applies: the worst viewport. */
function getCoverage(snapshots: readonly ViewportSnapshot[]): Coverage {
  const getMin = (shares: readonly number[]): number => round(Math.max(0, Math.min(1, ...shares)))
  return {
    inDom: getMin(snapshots.map((snapshot) => getMatchedShare({ snapshot }))),
    visible: getMin(snapshots.map(({ blocks }) => getShare(blocks.filter(isReadable), blocks))),
    cssHeld: getMin(snapshots.map(({ css }) => (css.declarations === 0 ? 1 : css.applied / css.declarations))),
    compared: getMin(snapshots.map(({ blocks }) => getComparedShare(blocks))),
    measured: getMin(snapshots.map(({ blocks }) => 1 - getShare(blocks.filter(isUnmeasured), blocks)))
  }
}
