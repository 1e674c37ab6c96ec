import type { Answer, Operation, PathItem } from './types.ts'

/**
 * Refusals that several operations answer alike become parts of their own, named for their codes.
 * Changes the operations; returns the parts.
 */
export function shareAnswers(paths: Record<string, PathItem>): Record<string, Answer> {
  const seen = new Map<string, { operation: Operation; status: string }[]>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (!isProblem(answer as Answer)) continue
      const text = JSON.stringify(answer)
      seen.set(text, [...(seen.get(text) ?? []), { operation, status }])
    }
  }
  const shared: Record<string, Answer> = {}
  for (const [text, places] of seen) {
    if (places.length < 2) continue
    const answer = JSON.parse(text) as Answer
    const name = nameOf(answer)
    shared[name] = answer
    for (const { operation, status } of places) operation.responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isProblem = ({ content }: Answer) => content?.['application/problem+json'] !== undefined

/** `BlogGoneOrBlogNotFound` for the codes blog_gone and blog_not_found. */
function nameOf({ content }: Answer): string {
  const codes = Object.keys(content!['application/problem+json']!.examples!)
  return codes.map((code) => code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())).join('Or')
}
