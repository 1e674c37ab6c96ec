import type { Browser, InspectRequest, PageInspection } from '../../ports/browser/port.ts'
import type { VisualFinding } from '../../schemas/visual-check.ts'
import { getPublicReason } from './check-outcome.ts'
import { evaluateUnopened, scoreFindings, type Evaluation } from './evaluate.ts'
import { evaluateInThread } from './evaluator.ts'
import { sortFindings } from './findings.ts'
import type { ExpectedPage } from './rules/rule.ts'

/** The inspection that the result describes, and the evaluation of the page. */
export interface PageCheck {
  evaluation: Evaluation
  inspection: PageInspection
}

/** The second attempt is made elsewhere (crashes), or cannot have another result (blocked addresses). */
const FINAL_OUTCOMES: readonly PageInspection['outcome'][] = ['crashed', 'blocked']

/** Findings that may only describe a part of the site. */
const SITE_TEXT_CODES: readonly string[] = ['UNEXPECTED_TEXT', 'CONTENT_MIXED']

/** Hashes of texts that other pages of the site have. Asked for only if the page has a foreign text. */
type FindSiteTexts = () => Promise<string[]>

/**
 * Inspects and evaluates a page. Pages with critical findings, and pages that cannot be opened, are
 * inspected twice, so that a defect of a single inspection does not lower the score.
 */
export async function checkPage(
  browser: Browser,
  request: InspectRequest,
  { expected, findSiteTexts = async () => [] }: { expected: ExpectedPage; findSiteTexts?: FindSiteTexts }
): Promise<PageCheck> {
  const evaluateInspection = async (inspection: PageInspection): Promise<Evaluation> => {
    const { outcome, snapshots, missingFonts } = inspection
    if (outcome !== 'inspected') {
      return evaluateUnopened({ outcome, reason: getPublicReason(inspection) }, request.viewports)
    }
    const input = { snapshots, expected, missingFonts }
    const evaluation = await evaluateInThread(request.accountId, input)
    if (!evaluation.findings.some(({ code }) => SITE_TEXT_CODES.includes(code))) return evaluation
    const siteTexts = await findSiteTexts()
    if (!evaluation.siteTexts.some((hash) => siteTexts.includes(hash))) return evaluation
    return await evaluateInThread(request.accountId, { ...input, expected: { ...expected, siteTexts } })
  }
  const inspection = await browser.inspectPage(request)
  const evaluation = await evaluateInspection(inspection)
  if (FINAL_OUTCOMES.includes(inspection.outcome) || !needsConfirmation(evaluation)) return { evaluation, inspection }
  const isOpened = inspection.outcome === 'inspected'
  const second = await browser.inspectPage(isOpened ? { ...request, screenshotDetail: 'none' } : request)
  // A failed second inspection contradicts nothing.
  if (second.outcome !== 'inspected') return { evaluation, inspection }
  const other = await evaluateInspection(second)
  return isOpened
    ? { evaluation: confirm(evaluation, other), inspection }
    : { evaluation: withFlaky(other, evaluation.findings), inspection: second }
}

/** The evaluation of a page that could be opened only the second time. */
function withFlaky(evaluation: Evaluation, unconfirmed: readonly VisualFinding[]): Evaluation {
  const flaky = unconfirmed.map((finding): VisualFinding => ({ ...finding, confidence: 'flaky' }))
  return { ...evaluation, findings: sortFindings([...evaluation.findings, ...flaky]) }
}

const isCritical = ({ severity, confidence }: VisualFinding): boolean =>
  severity === 'critical' && confidence === 'certain'

export const needsConfirmation = ({ findings }: Evaluation): boolean => findings.some(isCritical)

/**
 * Combines two evaluations of a page. Critical findings that only one of them has become `flaky`
 * and are not scored. Other findings come from the first one; from the second one if only that had
 * the blog's text, because the first could not check the rest.
 */
export function confirm(first: Evaluation, second: Evaluation): Evaluation {
  const isConfirmed = ({ code }: VisualFinding, { findings }: Evaluation) =>
    findings.some((finding) => finding.code === code && finding.severity === 'critical')
  const getFlaky = (one: Evaluation, other: Evaluation) =>
    one.findings
      .filter((finding) => isCritical(finding) && !isConfirmed(finding, other))
      .map((finding): VisualFinding => ({ ...finding, confidence: 'flaky' }))
  const [onlyFirst, onlySecond] = [getFlaky(first, second), getFlaky(second, first)]
  const isTextOnlyInSecond =
    onlyFirst.some(({ category }) => category === 'content') &&
    !second.findings.some((finding) => isCritical(finding) && finding.category === 'content')
  const base = isTextOnlyInSecond ? second : first
  const flaky = [...onlyFirst, ...onlySecond]
  const flakyCodes = new Set(flaky.map(({ code }) => code))
  const findings = sortFindings([...base.findings.filter(({ code }) => !flakyCodes.has(code)), ...flaky])
  return { ...base, ...scoreFindings(findings), findings }
}
