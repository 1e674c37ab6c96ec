import { Config } from '../../schemas/config.ts'

interface Setting {
  description?: string
  default?: unknown
  enum?: unknown[]
  secret?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
}

/** The page with every setting, from the schema that validates them at startup. */
export function renderConfigurationPage(): string {
  const rows = Object.entries(Config.properties as Record<string, Setting>).map(
    ([name, setting]) => `| \`${name}\` | ${formatDefault(setting)} | ${cell(describe(setting))} |`
  )
  return `# Configuration

Settings are read from the environment and from an \`.env\` file in the working directory; the environment
takes precedence. \`npm start\` needs no settings. All invalid settings are reported together at startup.
\`npm run --silent svc -- config\` shows the effective settings, with secrets masked.

| Name | Default | Description |
| --- | --- | --- |
${rows.join('\n')}
`
}

const formatDefault = ({ default: value }: Setting): string =>
  value === undefined || value === '' ? '' : `\`${String(value)}\``

function describe({ description = '', enum: choices, minimum, maximum, secret }: Setting): string {
  const notes = [
    choices === undefined ? '' : `One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`,
    minimum === undefined ? '' : maximum === undefined ? `At least ${minimum}.` : `${minimum} to ${maximum}.`,
    secret === true ? '**Secret.**' : ''
  ]
  return [description === '' ? '' : `${description}.`, ...notes].filter((note) => note !== '').join(' ')
}

const cell = (text: string) => text.replaceAll('|', '\\|')
