import type { Rule } from './rule.ts'
import { isWithoutViewport } from './without-viewport.ts'

export const noMobileViewport: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'Telephones show the page as a small picture of its wide form.',
  advice: 'Add <meta name="viewport" content="width=device-width, initial-scale=1"> to the head.',
  find: ({ facts }) =>
    isWithoutViewport(facts)
      ? {
          extent: 1,
          places: [],
          evidence: { layoutWidth: facts.document.layoutWidth, viewport: facts.document.viewportMeta }
        }
      : null
}
