import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'

/** The contents of the meta elements of a name, white space trimmed, empty ones left out. */
export const metasOf = ({ document }: ViewportSnapshot, key: string): string[] =>
  document.metas
    .filter((meta) => meta.key === key)
    .map(({ content }) => content.trim())
    .filter((content) => content !== '')
