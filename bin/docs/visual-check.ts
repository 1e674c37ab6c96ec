import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { RULES } from '../../services/visual-checks/rules/index.ts'
import { FINDING_CATEGORIES } from '../../schemas/visual-check.ts'

const FILE = path.join(import.meta.dirname, '..', '..', 'docs', 'visual-check.md')
const BEGIN = '<!-- The table is made by `npm run docs`. -->'
const END = '<!-- The end of the table. -->'

/**
 * The hand-written page about visual checks with the generated tables of findings between two
 * markers. Throws if a marker is missing.
 */
export async function renderVisualCheckPage(): Promise<string> {
  const source = await readFile(FILE, 'utf8')
  const [from, to] = [source.indexOf(BEGIN), source.indexOf(END)]
  if (from === -1 || to < from) {
    throw new Error(`docs/visual-check.md must contain the markers ${BEGIN} and ${END}`)
  }
  return `${source.slice(0, from + BEGIN.length)}\n\n${renderFindingTables()}\n\n${source.slice(to)}`
}

/** A table of findings for each category. */
function renderFindingTables(): string {
  return FINDING_CATEGORIES.map((category) => {
    const rows = RULES.filter((rule) => rule.category === category).map(
      ({ code, severity, message, advice }) => `| \`${code}\` | ${severity} | ${cell(message)} | ${cell(advice)} |`
    )
    return [`### ${category}`, '', '| Code | Severity | Message | Advice |', '| --- | --- | --- | --- |', ...rows].join(
      '\n'
    )
  }).join('\n\n')
}

/** Escapes a table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|')
