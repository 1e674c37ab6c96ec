import type { ViewportFacts } from '../../../ports/browser/facts.ts'

/** The contents of the meta elements of a name, white space trimmed, empty ones left out. */
export const metasOf = ({ document }: ViewportFacts, key: string): string[] =>
  document.metas
    .filter((meta) => meta.key === key)
    .map(({ content }) => content.trim())
    .filter((content) => content !== '')
