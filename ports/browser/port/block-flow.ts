/** How a block is placed among the other blocks of the article. */
export interface BlockFlow {
  /** `p`, `pre`, `blockquote`, `h2`, or `li` with the level of its list, such as `li 1`. */
  role: string
  /** The level of the heading above, 2 to 6. 0 for headings, and above the first one. */
  depth: number
  /** The distance of its lines from the edge of the page at which they start, in CSS pixels. */
  startPx: number
  /** False if lines are centered or aligned to the edge at which they end. */
  aligned: boolean
  /** True if lines are centered. Absent if not. */
  centered?: true
  /** Another text, a picture or a box is beside it. */
  isBeside: boolean
  /** The block before, which is no heading, is beside it instead of above. */
  isBesidePrevious: boolean
  /**
   * The space between it and the block before, beyond that of lines within a text, in em. Null except for
   * headings and for paragraphs after paragraphs, and if something else sets them apart.
   */
  gapEm: number | null
}

/** What the place and the spaces of a block are like, compared with other blocks and with the blog. */
export interface BlockRelations {
  /** A header of a table that is shown beside each cell of its column. Absent if not. */
  shownAsLabel?: true
  /** Absent in tables, captions and notes, and for blocks without a box. */
  flow?: BlockFlow
  /** The share of the spaces at which lines cannot break, but can in the blog. Absent if it is small. */
  heldSpaces?: number
  /** Code has signs that the blog does not have: dashes of prose in its words, numbers at its start. Absent if not. */
  codeChanged?: true
}
