/** Blocks by section: each but the first one starts with a heading of the second level. */
export function toSections(blocks: readonly string[]): string[][] {
  const sections: string[][] = [[]]
  for (const block of blocks) {
    if (block.startsWith('<h2')) sections.push([block])
    else sections.at(-1)!.push(block)
  }
  return sections.filter((section) => section.length > 0)
}

/** Removes the spaces before and after inline elements. */
export const withoutSpaces = (html: string): string =>
  html.replaceAll(/\s+(?=<(?:a|strong|em|code|del)\b)|(?<=<\/(?:a|strong|em|code|del)>)\s+/g, '')
