import { SEVERITIES, type FindingLocation, type VisualFinding } from '../../../schemas/visual-check.ts'
import type { Defect } from '../../../test/data/visual-pages/types.ts'
import type { CheckOutcome } from '../check-page.ts'

/** The findings that lower the score. */
export const scoredFindings = ({ findings }: Pick<CheckOutcome, 'findings'>): VisualFinding[] =>
  findings.filter(({ severity, confidence }) => severity !== 'info' && confidence === 'certain')

/** The scored findings that the plain page lacks, or has with less severity, extent or places. */
export function newFindings(check: CheckOutcome, plain: CheckOutcome): VisualFinding[] {
  const known = scoredFindings(plain)
  return scoredFindings(check).filter((finding) => {
    const before = known.find(({ code }) => code === finding.code)
    return (
      before === undefined ||
      SEVERITIES.indexOf(finding.severity) < SEVERITIES.indexOf(before.severity) ||
      finding.extent > before.extent ||
      finding.count > before.count
    )
  })
}

/** Whether a location is on one of the damaged elements. */
export type IsLocatedOn = (target: string, locations: readonly FindingLocation[]) => Promise<boolean>

/**
 * Whether a check names a defect: by a code in its list or, if the documentation has no code for it,
 * one that fits its pattern; otherwise by a scored finding located on the damaged elements. Findings
 * that the plain page has too do not count. The outcome of a page that was not inspected counts as its code.
 */
export async function isNamed(
  defect: Defect,
  { check, plain }: { check: CheckOutcome; plain: CheckOutcome },
  isLocatedOn: IsLocatedOn
): Promise<boolean> {
  const isCodeOf = (code: string): boolean => defect.codes.includes(code) || (defect.pattern?.test(code) ?? false)
  if (check.outcome !== 'inspected' && isCodeOf(check.outcome.toUpperCase().replaceAll('-', '_'))) return true
  const findings = newFindings(check, plain)
  if (findings.some(({ code }) => isCodeOf(code))) return true
  const locations = findings.flatMap((finding) => finding.locations)
  return defect.target !== undefined && locations.length > 0 && (await isLocatedOn(defect.target, locations))
}
