import { countOf } from '../output.ts'

/** A warning about a file. */
export interface FileWarning {
  file: string
  warning: string
}

const MAX_KINDS = 20
const MAX_EXAMPLES = 3
/** Template tags, and words with a character that sentences do not have in their words: names, paths, URLs, numbers. */
const VARIABLE = /\{[{%#][^{}]*\}{0,2}|(?<=^|\s)[^\s<]*[^\s<>a-z'’,;:.!?()-][^\s]*|(?<=^|\s)[^\s<]+\.[^\s]+/g

/** The sentence of a warning without the words in which warnings of one kind differ. */
function kindOf(warning: string): string {
  return warning.replace(VARIABLE, '…').replace(/…(?:\s+…)+/g, '…')
}

/**
 * A summary of warnings: the most frequent kinds with their numbers, and three examples of each. An import of
 * thousands of files has few kinds of warnings.
 */
export function summarizeWarnings(warnings: FileWarning[]): string[] {
  const kinds = [...Map.groupBy(warnings, ({ warning }) => kindOf(warning))].sort(([, a], [, b]) => b.length - a.length)
  const lines = kinds
    .slice(0, MAX_KINDS)
    .flatMap(([kind, all]) => [
      `! ${kind} (${all.length.toLocaleString('en')})`,
      ...all.slice(0, MAX_EXAMPLES).map(({ file, warning }) => `    ${file}${kind === warning ? '' : `: ${warning}`}`),
      ...(all.length > MAX_EXAMPLES ? ['    …'] : [])
    ])
  const others = kinds.slice(MAX_KINDS).flatMap(([, all]) => all).length
  return [...lines, ...(others > 0 ? [`! ${countOf(others, 'warning')} of other kinds`] : [])]
}
