import { absenceRules } from './absence.ts'
import { addedTextRules } from './added-text.ts'
import { appearanceRules } from './appearance.ts'
import type { FindingCode } from './codes.ts'
import { contentRules } from './content.ts'
import { cssRules } from './css.ts'
import { embedRules } from './embeds.ts'
import { flowRules } from './flow.ts'
import { headRules } from './head.ts'
import { headlineRules } from './headline.ts'
import { indexingRules } from './indexing.ts'
import { layoutRules } from './layout.ts'
import { linkRules } from './links.ts'
import { markupRules } from './markup.ts'
import { mediaRules } from './media.ts'
import { openingRules } from './opening.ts'
import { referenceRules } from './references.ts'
import { roleRules } from './roles.ts'
import type { Rule } from './rule.ts'
import { runtimeRules } from './runtime.ts'
import { typographyRules } from './typography.ts'
import { unexpectedTextRules } from './unexpected-text.ts'
import { visibilityRules } from './visibility.ts'

/** All rules, one for each code, in the order of `FINDING_CODES`. */
export const RULES: readonly Rule[] = [
  ...openingRules,
  ...absenceRules,
  ...contentRules,
  ...markupRules,
  ...unexpectedTextRules,
  ...addedTextRules,
  ...linkRules,
  ...headlineRules,
  ...visibilityRules,
  ...layoutRules,
  ...flowRules,
  ...appearanceRules,
  ...mediaRules,
  ...embedRules,
  ...cssRules,
  ...roleRules,
  ...typographyRules,
  ...headRules,
  ...indexingRules,
  ...referenceRules,
  ...runtimeRules
]

const BY_CODE: ReadonlyMap<FindingCode, Rule> = new Map(RULES.map((rule) => [rule.code, rule]))

/** The rule of a code. A test guarantees that every code has exactly one. */
export function getRule(code: FindingCode): Rule {
  const rule = BY_CODE.get(code)
  if (rule === undefined) throw new Error(`No rule for the finding code ${code}`)
  return rule
}
