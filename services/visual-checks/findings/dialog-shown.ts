import type { Rule } from './rule.ts'

export const dialogShown: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'A dialog of the browser interrupts readers.',
  advice: 'Remove alert(), confirm() and prompt() from the scripts of the page.',
  find: ({
    facts: {
      runtime: { dialogs }
    }
  }) =>
    dialogs.length > 0
      ? {
          extent: 0.5,
          places: [],
          count: dialogs.length,
          evidence: { dialogs: dialogs.slice(0, 3).map((text) => text.slice(0, 200)) }
        }
      : null
}
