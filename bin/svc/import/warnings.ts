import { countOf } from '../output.ts'

/** A warning about a file. */
export interface FileWarning {
  file: string
  warning: string
}

const MAX_KINDS = 20
const MAX_EXAMPLES = 3
/** Words that tell the kind of a warning: later ones may be a caption, or another text of the file. */
const KIND_WORDS = 6
/** Template tags, and words with a character that sentences do not have in their words: names, paths, URLs, numbers. */
const VARIABLE = /\{[{%#][^{}]*\}{0,2}|(?<=^|\s)[^\s<]*[^\s<>a-z'’,;:.!?()-][^\s]*|(?<=^|\s)[^\s<]+\.[^\s]+/g

/** The first words of a warning without those in which warnings of one kind differ. */
const kindOf = (warning: string): string => warning.replace(VARIABLE, '…').split(/\s+/, KIND_WORDS).join(' ')

/** What the warnings of a kind have in common: their first and last words. */
function headingOf(warnings: FileWarning[]): string {
  const texts = warnings.map(({ warning }) => warning.split(' '))
  const [shortest, ...others] = texts.sort((a, b) => a.length - b.length) as [string[], ...string[][]]
  const isCommon = (at: number) => others.every((words) => words.at(at) === shortest.at(at))
  let start = 0
  while (start < shortest.length && isCommon(start)) start++
  if (others.every((words) => words.length === start)) return shortest.join(' ')
  let end = 0
  while (end < shortest.length - start && isCommon(-1 - end)) end++
  return [...shortest.slice(0, start), '…', ...shortest.slice(shortest.length - end)].join(' ')
}

/**
 * A summary of warnings: the most frequent kinds with their numbers, and three examples of each. An import of
 * thousands of files has few kinds of warnings.
 */
export function summarizeWarnings(warnings: FileWarning[]): string[] {
  const kinds = [...Map.groupBy(warnings, ({ warning }) => kindOf(warning))].sort(([, a], [, b]) => b.length - a.length)
  const lines = kinds.slice(0, MAX_KINDS).flatMap(([, all]) => {
    const heading = headingOf(all)
    return [
      `! ${heading} (${all.length.toLocaleString('en')})`,
      ...all
        .slice(0, MAX_EXAMPLES)
        .map(({ file, warning }) => `    ${file}${heading === warning ? '' : `: ${warning}`}`),
      ...(all.length > MAX_EXAMPLES ? ['    …'] : [])
    ]
  })
  const others = kinds.slice(MAX_KINDS).flatMap(([, all]) => all).length
  return [...lines, ...(others > 0 ? [`! ${countOf(others, 'warning')} of other kinds`] : [])]
}
