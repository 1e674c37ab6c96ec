import type { BlockSnapshot, ViewportSnapshot } from '../../ports/browser/port/page-snapshot.ts'
import type { Confidence, FindingCategory, VisualFinding } from '../../schemas/visual-check.ts'
import { withoutConsequences } from './causes.ts'
import { coverageOf, type Coverage } from './coverage.ts'
import { RULES, type FindingCode } from './findings/index.ts'
import type { Expected, Found, Rule } from './findings/rule.ts'
import { isWrittenIn } from './findings/scripts.ts'
import { merge, type Charge } from './merge.ts'
import { scoreOf } from './score.ts'

/** Goes up when the same facts may give another score. */
export const CHECKER_VERSION = '1'

export interface Judgment {
  overallScore: number
  categories: Record<FindingCategory, number>
  findings: VisualFinding[]
  coverage: Coverage
  /** The version of each rule by its code. */
  rules: Record<string, number>
}

export interface Evidence {
  /** One a viewport. */
  facts: ViewportSnapshot[]
  expected: Expected
  /** Scripts, as Unicode names them, that the machine had no font for. */
  missingFonts: string[]
}

const ALL = Object.entries(RULES) as [FindingCode, Rule][]
const VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(ALL.map(([code, { version }]) => [code, version]))
/** Letters that are as wide as high, in any font: their measures are known. */
const SQUARE: readonly string[] = ['Han', 'Hiragana', 'Katakana', 'Hangul']
/**
 * What depends on how wide letters are; all else is so with the boxes, too, that stand for letters
 * which no font has.
 */
const FONT_MATTERS: readonly FindingCode[] = ['LINE_TOO_LONG', 'COLUMN_TOO_NARROW']

/**
 * What is wrong with a page, and what it is worth. Pure: the same facts give the same judgment, in
 * whatever order the viewports come.
 */
export function judge({ facts, expected, missingFonts }: Evidence): Judgment {
  const charges = facts.flatMap((viewport) =>
    withDoubt(chargesOf(viewport, expected), {
      blocks: viewport.blocks,
      missingFonts: missingFonts.filter((script) => !SQUARE.includes(script))
    })
  )
  const findings = merge(withoutConsequences(charges))
  return { ...scored(findings), findings, coverage: coverageOf(facts), rules: { ...VERSIONS } }
}

/** What findings are worth: only what is certain counts. */
export const scored = (findings: readonly VisualFinding[]) =>
  scoreOf(
    findings.map(({ category, severity, extent, confidence }) => ({
      category,
      severity,
      extent,
      scored: confidence === 'certain'
    }))
  )

/** A page that answers with an error is judged by that, and by what its scripts do. */
function chargesOf(facts: ViewportSnapshot, expected: Expected): Charge[] {
  const { status } = facts.runtime
  const isError = status === 0 || status >= 400
  const rules = isError
    ? ALL.filter(([code, { category }]) => code === 'HTTP_ERROR' || code === 'UNREACHABLE' || category === 'runtime')
    : ALL
  return rules.flatMap(([code, rule]) => {
    const found = rule.find({ facts, expected })
    return found === null ? [] : [charge(code, found, facts)]
  })
}

function charge(code: FindingCode, found: Found, { viewport }: ViewportSnapshot): Charge {
  const { category, severity, scope } = RULES[code]
  return { category, severity, scope, confidence: 'certain', ...found, code, viewport }
}

/** What the measures of text say that no font could draw is for a person to judge. */
function withDoubt(
  charges: readonly Charge[],
  { blocks, missingFonts }: { blocks: readonly BlockSnapshot[]; missingFonts: readonly string[] }
): Charge[] {
  if (missingFonts.length === 0) return [...charges]
  const isUndrawn = (index: number) =>
    isWrittenIn(blocks.find((block) => block.index === index)?.text ?? '', missingFonts)
  const whole = isWrittenIn(blocks.map(({ text }) => text).join(' '), missingFonts)
  const isDoubtful = ({ code, places }: Charge) => {
    if (!FONT_MATTERS.includes(code)) return false
    const about = places.flatMap(({ block }) => (block === undefined ? [] : [block]))
    return about.length === 0 ? whole : about.filter(isUndrawn).length > about.length / 2
  }
  return charges.map((one) => (isDoubtful(one) ? { ...one, confidence: 'review' satisfies Confidence } : one))
}
