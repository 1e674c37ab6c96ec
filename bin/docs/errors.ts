import { ERRORS } from '../../errors.ts'

/** Every code of an error as a table, from the table that the service answers by. */
export function renderErrorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, advice }]) => `| ${status} | \`${code}\` | ${title} | ${advice.replaceAll('|', '\\|')} |`
  )
  return `# Errors

Errors are \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`code\` and \`requestId\`; \`errors\` names the fields that are not right.
Decide by \`code\`: it stays the same, while the sentences may become better. A running service shows an example of each under \`/docs/errors\`.

| Status | Code | What it means | What to do |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
