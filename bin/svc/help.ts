import type { CommandDescription, OptionDescription } from './command.ts'
import { COMMANDS, commandsOf, GLOBAL_OPTIONS, GROUPS, SUBJECTS } from './commands.ts'

/** Wider lines are hard to read, and narrower columns break words. */
const MAX_WIDTH = 120
const MIN_WIDTH = 60
const GAP = 2
const INDENT = '  '

/** The width of the help on a terminal with this many columns; 80 where it is unknown. */
export const helpWidth = (columns: number | undefined): number =>
  Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns ?? 80))

/** One line: `svc keys create --name NAME [options]`. Required options are named, the others are not. */
export function usageOf(name: string, { arguments: args, options }: CommandDescription): string {
  const required = Object.entries(options).filter(([, option]) => option.required === true)
  const optional = Object.keys(options).length > required.length
  return ['svc', name, ...args, ...required.map(optionSyntax), ...(optional ? ['[options]'] : [])].join(' ')
}

export function formatCommandHelp(name: string, command: CommandDescription, width: number): string {
  const { summary, details, argumentValues, options, examples } = command
  const sections = [
    wrap(details === undefined ? summary : `${summary} ${details}`, width),
    ['Usage:', ...wrap(usageOf(name, command), width - 2 * INDENT.length, INDENT.repeat(2)).map(indent)]
  ]
  if (argumentValues !== undefined) {
    const last = command.arguments.at(-1)!
    sections.push(['Arguments:', ...formatColumns([[last, `${argumentValues.join(', ')}`]], width)])
  }
  sections.push(['Options:', ...formatColumns(optionRows({ ...options, ...GLOBAL_OPTIONS }), width)])
  const others = commandsOf(name)
  if (others.length > 0) sections.push(['Related commands:', ...formatColumns(commandRows(others), width)])
  if (examples.length > 0) {
    sections.push(['Examples:', ...examples.flatMap(({ command: line, does }) => [`  # ${does}`, `  svc ${line}`])])
  }
  return format(sections)
}

/** The help of the commands with the same first word. */
export function formatGroupHelp(group: string, width: number): string {
  return format([
    wrap(GROUPS[group]!, width),
    ['Usage:', `  svc ${group} COMMAND [arguments] [options]`],
    ['Commands:', ...formatColumns(commandRows(commandsOf(group)), width)],
    ['Options:', ...formatColumns(optionRows(GLOBAL_OPTIONS), width)],
    [`Run "svc ${group} COMMAND --help" for more information about a command.`]
  ])
}

export function formatGeneralHelp(width: number): string {
  return format([
    ['Manage the blog and product content service.'],
    ['Usage:', '  svc COMMAND [arguments] [options]'],
    ...SUBJECTS.map(([title, names]) => [`${title}:`, ...formatColumns(commandRows(names), width, commandRows())]),
    ['Options:', ...formatColumns(optionRows(GLOBAL_OPTIONS), width)],
    [
      'Run "svc COMMAND --help" for more information about a command.',
      'In the repository, type "npm run --silent svc --" instead of "svc".',
      'Exit codes: 0 for success, 1 for a failure, 2 for a usage error.'
    ].flatMap((line) => wrap(line, width))
  ])
}

const commandRows = (names: readonly string[] = Object.keys(COMMANDS)): [string, string][] =>
  names.map((name) => [name, COMMANDS[name]!.summary])

const optionSyntax = ([name, { value, values }]: [string, OptionDescription]): string =>
  value === undefined ? `--${name}` : `--${name} ${values === undefined ? value : values.join('|')}`

const optionRows = (options: Readonly<Record<string, OptionDescription>>): [string, string][] =>
  Object.entries(options).map((entry) => {
    const [name, { description, required }] = entry
    return [
      name === 'help' ? '-h, --help' : optionSyntax(entry),
      `${description}${required === true ? ' (required)' : ''}`
    ]
  })

/** Two columns, the second one wrapped. `aligned`: the rows of all tables with the same columns. */
function formatColumns(rows: [string, string][], width: number, aligned = rows): string[] {
  // A first column wider than two fifths would leave no room for the second one: its text goes to the next line.
  const limit = Math.floor((width * 2) / 5)
  const lengths = aligned.map(([left]) => left.length).filter((length) => length <= limit)
  const column = INDENT.length + Math.max(...lengths, 0) + GAP
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, width - column)
    const first = `${INDENT}${left}`
    const isTooLong = left.length > limit
    return [
      ...(isTooLong ? [first] : []),
      ...lines.map((line, index) => (index === 0 && !isTooLong ? first.padEnd(column) : ' '.repeat(column)) + line)
    ]
  })
}

/** Breaks a text into lines between words. A word that is longer than a line has a line of its own. */
function wrap(text: string, width: number, continuation = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : `${continuation}${word}`)
  }
  return lines
}

const indent = (line: string): string => `${INDENT}${line}`

const format = (sections: string[][]): string => `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
