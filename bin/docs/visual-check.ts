import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { RULES } from '../../services/visual-checks/rules/index.ts'
import { FINDING_CATEGORIES } from '../../schemas/visual-check.ts'

const FILE = path.join(import.meta.dirname, '..', '..', 'docs', 'visual-check.md')
const BEGIN = '<!-- The table is made by `npm run docs`. -->'
const END = '<!-- The end of the table. -->'

/**
 * The page about visual checks: what people wrote, and between two marks every code, from the rules
 * that the service judges by. Throws where the page has no such marks.
 */
export async function renderVisualCheckPage(): Promise<string> {
  const written = await readFile(FILE, 'utf8')
  const [from, to] = [written.indexOf(BEGIN), written.indexOf(END)]
  if (from === -1 || to < from) {
    throw new Error(`docs/visual-check.md has lost the marks of its table: ${BEGIN} and ${END}`)
  }
  return `${written.slice(0, from + BEGIN.length)}\n\n${findingTables()}\n\n${written.slice(to)}`
}

/** Every code with its severity, its sentence and its advice, by category. */
export function findingTables(): string {
  return FINDING_CATEGORIES.map((category) => {
    const rows = RULES.filter((rule) => rule.category === category).map(
      ({ code, severity, message, advice }) => `| \`${code}\` | ${severity} | ${cell(message)} | ${cell(advice)} |`
    )
    return `### ${category}\n\n| Code | Severity | What is wrong | What to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
  }).join('\n\n')
}

/** A bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|')
