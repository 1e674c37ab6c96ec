// cspell:ignore esac CWORD COMPREPLY COMP compgen compdef compadd funcstack fpath
import { UsageError, type RunCommand } from './command.ts'
import type { OptionDescription } from './command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'

const SHELLS: Record<string, () => string> = { bash: bashScript, zsh: zshScript, fish: fishScript }

export const completion: RunCommand = async ({ args: [shell = ''], print }) => {
  if (!Object.hasOwn(SHELLS, shell)) throw new UsageError('SHELL must be bash, zsh or fish.')
  const script = SHELLS[shell]!()
  print({ shell, script }, [script.trimEnd()])
  return await Promise.resolve(0)
}

/** A command with everything that may follow its name. */
interface Completed {
  name: string
  summary: string
  options: [string, OptionDescription][]
  argumentValues: readonly string[]
  /** Whether an argument is the name of a file or folder. */
  takesFile: boolean
}

const commands = (): Completed[] =>
  Object.entries(COMMANDS).map(([name, { summary, options, argumentValues = [], arguments: args }]) => ({
    name,
    summary,
    options: Object.entries({ ...options, ...GLOBAL_OPTIONS }),
    argumentValues,
    takesFile: args.some((argument) => /^\[?(?:FILE|FOLDER)\]?$/.test(argument))
  }))

/** The words that begin a command, each with the second words that may follow it. */
function firstWords(): Map<string, string[]> {
  const words = new Map<string, string[]>([['help', []]])
  for (const name of Object.keys(COMMANDS)) {
    const [first = '', second] = name.split(' ')
    words.set(first, [...(words.get(first) ?? []), ...(second === undefined ? [] : [second])])
  }
  return words
}

const longOptions = (options: Completed['options']): string => options.map(([name]) => `--${name}`).join(' ')

function bashScript(): string {
  const byName = commands()
    .map(({ name, options, argumentValues, takesFile }) => {
      const values = options
        .filter(([, option]) => option.values !== undefined)
        .map(([option, { values: choices }]) => `        --${option}) values="${choices!.join(' ')}" ;;\n`)
        .join('')
      return (
        `    "${name}")\n` +
        (values === '' ? '' : `      case "$previous" in\n${values}      esac\n`) +
        `      words="${[...argumentValues, longOptions(options)].join(' ')}"\n` +
        (takesFile ? '      files=1\n' : '') +
        '      ;;\n'
      )
    })
    .join('')
  const second = [...firstWords()]
    .filter(([, words]) => words.length > 0)
    .map(([first, words]) => `    ${first}) words="${words.join(' ')}" ;;\n`)
    .join('')
  return `# Completion of svc for Bash.
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} words="" values="" files=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...firstWords().keys()].join(' ')} --help" -- "$current"))
    return
  fi
  local name=$first
  case "$first $second" in
    ${Object.keys(COMMANDS)
      .filter((name) => name.includes(' '))
      .map((name) => `"${name}"`)
      .join('|')}) [ "$COMP_CWORD" -gt 2 ] && name="$first $second" ;;
  esac
  case "$name" in
${byName}  esac
  [ "$COMP_CWORD" -eq 2 ] && case "$first" in
${second.replace(/words="/g, 'words="$words ')}  esac
  COMPREPLY=($(compgen -W "\${values:-$words}" -- "$current"))
  [ -n "$files" ] && [ -z "$values" ] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -F _svc svc
`
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function zshScript(): string {
  const escape = (text: string): string => text.replace(/[[\]:]/g, '\\$&')
  const byName = commands()
    .map(({ name, options, argumentValues, takesFile }) => {
      const specs = options.map(([option, { description, value, values }]) => {
        const action =
          value === undefined ? '' : `:${escape(value)}:${values === undefined ? '' : `(${values.join(' ')})`}`
        return quote(`--${option}[${escape(description)}]${action}`)
      })
      const argument = argumentValues.length > 0 ? `(${argumentValues.join(' ')})` : takesFile ? '_files' : ''
      return `    ${quote(name)}) _arguments ${[...specs, quote(`*:argument:${argument}`)].join(' ')} ;;\n`
    })
    .join('')
  const second = [...firstWords()]
    .filter(([, words]) => words.length > 0)
    .map(([first, words]) => `    ${first}) compadd -- ${words.join(' ')} ;;\n`)
    .join('')
  return `#compdef svc
# Completion of svc for Zsh.
_svc() {
  local -a commands
  if (( CURRENT == 2 )); then
    compadd -- ${[...firstWords().keys()].join(' ')} --help
    return
  fi
  local name=\${words[2]} skip=1
  case "\${words[2]} \${words[3]}" in
    ${Object.keys(COMMANDS)
      .filter((command) => command.includes(' '))
      .map(quote)
      .join('|')}) (( CURRENT > 3 )) && name="\${words[2]} \${words[3]}" && skip=2 ;;
  esac
  (( CURRENT == 3 )) && case "\${words[2]}" in
${second}  esac
  shift $skip words
  (( CURRENT -= skip ))
  case "$name" in
${byName}  esac
}
if [ "$funcstack[1]" = "_svc" ]; then _svc "$@"; else compdef _svc svc; fi
`
}

function fishScript(): string {
  const lines = ['# Completion of svc for Fish.', 'complete -c svc -f']
  const seen = (name: string): string => {
    const [first = '', second] = name.split(' ')
    return second === undefined
      ? `__fish_seen_subcommand_from ${first}`
      : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
  }
  for (const [first, words] of firstWords()) {
    const summary = COMMANDS[first]?.summary
    const description = summary === undefined ? '' : ` -d ${quote(summary)}`
    lines.push(`complete -c svc -n __fish_use_subcommand -a ${first}${description}`)
    for (const word of words) {
      const condition = quote(
        `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${words.join(' ')}`
      )
      lines.push(`complete -c svc -n ${condition} -a ${word} -d ${quote(COMMANDS[`${first} ${word}`]!.summary)}`)
    }
  }
  for (const { name, options, argumentValues, takesFile } of commands()) {
    const condition = quote(seen(name))
    for (const [option, { description, value, values }] of options) {
      const requires = value === undefined ? '' : values === undefined ? ' -r' : ` -x -a ${quote(values.join(' '))}`
      lines.push(`complete -c svc -n ${condition} -l ${option}${requires} -d ${quote(description)}`)
    }
    if (argumentValues.length > 0) lines.push(`complete -c svc -n ${condition} -a ${quote(argumentValues.join(' '))}`)
    if (takesFile) lines.push(`complete -c svc -n ${condition} -F`)
  }
  return `${lines.join('\n')}\n`
}
