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

/** Every setting as a table, from the schema that checks them at the start. */
export function renderConfigurationPage(): string {
  const rows = Object.entries(Config.properties as Record<string, Setting>).map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${cell(meaningOf(setting))} |`
  )
  return `# Configuration

Settings are read from the environment and from an \`.env\` file in the working folder; the environment wins. Plain \`npm start\` needs none of them.
What is wrong with them is told at the start, all at once. \`npm run --silent svc -- config\` shows what is in force, with secrets masked.

| Name | Default | What it is |
| --- | --- | --- |
${rows.join('\n')}
`
}

const defaultOf = ({ default: value }: Setting) => (value === undefined || value === '' ? '' : `\`${String(value)}\``)

function meaningOf({ description = '', enum: choices, minimum, maximum, secret }: Setting): string {
  const facts = [
    choices === undefined ? '' : `One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`,
    minimum === undefined ? '' : maximum === undefined ? `At least ${minimum}.` : `${minimum} to ${maximum}.`,
    secret === true ? '**Secret.**' : ''
  ]
  return [description === '' ? '' : `${description}.`, ...facts].filter((fact) => fact !== '').join(' ')
}

const cell = (text: string) => text.replaceAll('|', '\\|')
