import { RequestError } from '../command.ts'

/** Adds the option that assigns columns to the error of a file with unknown ones. The API names its own parameter. */
export function explainUnknownColumns(error: RequestError, mappings: readonly string[]): RequestError {
  const {
    code,
    title,
    detail,
    errors = [],
    suggestedMap
  } = error.problem as RequestError['problem'] & {
    suggestedMap?: string[]
  }
  if (code !== 'unknown_columns' || suggestedMap === undefined) return error
  const missing = errors.map(({ pointer }) => pointer.slice(1))
  // Commas separate the columns of the option.
  const suggested = suggestedMap.filter((mapping) => !mapping.includes(','))
  const added = missing.map((field) => suggested.find((mapping) => mapping.endsWith(`:${field}`)) ?? `COLUMN:${field}`)
  const option = `--map ${quote([...mappings, ...added].join(','))}`
  return new RequestError(error.problem, `${title}: ${detail}\nOr add this option: ${option}`)
}

/** An argument as it is typed in a shell. */
function quote(text: string): string {
  if (/^[\w.,:/-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}
