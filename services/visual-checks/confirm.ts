import type { Browser, InspectRequest, PageInspection } from '../../ports/browser/port.ts'
import type { VisualFinding } from '../../schemas/visual-check.ts'
import { evaluateCrash, scoreFindings, type Evaluation } from './evaluate.ts'
import { evaluateInThread } from './evaluator.ts'
import { sortFindings } from './findings.ts'
import type { ExpectedPage } from './rules/rule.ts'

/** An inspection and its evaluation, which is null if the page could not be inspected. */
export interface PageCheck {
  evaluation: Evaluation | null
  inspection: PageInspection
}

/**
 * Inspects and evaluates a page. Pages with critical findings are inspected twice, so that a defect
 * of a single inspection does not lower the score. A page that crashes browsers has only that finding.
 */
export async function checkPage(browser: Browser, request: InspectRequest, expected: ExpectedPage): Promise<PageCheck> {
  const evaluateInspection = async ({ snapshots, missingFonts }: PageInspection) =>
    await evaluateInThread(request.accountId, { snapshots, expected, missingFonts })
  const inspection = await browser.inspectPage(request)
  if (inspection.outcome === 'crashed') {
    return { evaluation: evaluateCrash(inspection, request.viewports), inspection }
  }
  if (inspection.outcome !== 'inspected') return { evaluation: null, inspection }
  const evaluation = await evaluateInspection(inspection)
  if (!needsConfirmation(evaluation)) return { evaluation, inspection }
  const second = await browser.inspectPage({ ...request, screenshotDetail: 'none' })
  // A failed second inspection contradicts nothing.
  if (second.outcome !== 'inspected') return { evaluation, inspection }
  return { evaluation: confirm(evaluation, await evaluateInspection(second)), inspection }
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
