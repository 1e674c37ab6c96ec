import { ERRORS } from '../../errors.ts'

/** The page with every error code, from the error table of the service. */
export function renderErrorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, advice }]) => `| ${status} | \`${code}\` | ${title} | ${advice.replaceAll('|', '\\|')} |`
  )
  return `# Errors

Errors are \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`,
\`instance\`, \`code\` and \`requestId\`; \`errors\` lists the invalid fields.
Use \`code\` in programs: it is stable, while the texts may change.
A running service shows an example of each error under \`/docs/errors\`.

| Status | Code | Meaning | Solution |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
