import type { VisualFinding } from '../../schemas/visual-check.ts'
import { scored, type Judgment } from './judge.ts'
import { inOrder } from './merge.ts'

const isGrave = ({ severity, confidence }: VisualFinding): boolean =>
  severity === 'critical' && confidence === 'certain'

/** Whether something was found that is so grave that it is looked at again before it is told. */
export const needsSecondLook = ({ findings }: Judgment): boolean => findings.some(isGrave)

/**
 * What two looks at a page say together: what is critical and was seen only once is `flaky` and is
 * not scored. All else is as it was seen first, unless the text itself was there only the second
 * time: the first
 * look could not judge the rest then.
 */
export function confirm(first: Judgment, second: Judgment): Judgment {
  const seenIn = (judgment: Judgment, { code }: VisualFinding) =>
    judgment.findings.some((finding) => finding.code === code && finding.severity === 'critical')
  const doubted = (one: Judgment, other: Judgment) =>
    one.findings
      .filter((finding) => isGrave(finding) && !seenIn(other, finding))
      .map((finding): VisualFinding => ({ ...finding, confidence: 'flaky' }))
  const [onlyFirst, onlySecond] = [doubted(first, second), doubted(second, first)]
  const base =
    onlyFirst.some(({ category }) => category === 'content') &&
    !second.findings.some((finding) => isGrave(finding) && finding.category === 'content')
      ? second
      : first
  const flaky = [...onlyFirst, ...onlySecond]
  const isDoubted = ({ code }: VisualFinding) => flaky.some((finding) => finding.code === code)
  const findings = inOrder([...base.findings.filter((finding) => !isDoubted(finding)), ...flaky])
  return { ...base, ...scored(findings), findings }
}
