import type { Found, Rule, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { rounded, shareOf } from './weight.ts'

/** From this share on it is the blog that is doubled, below it some paragraphs are. */
const WHOLE_BLOG = 0.3
/** A beginning is repeated as a lead, a teaser or a preview. */
const LEAD_BLOCKS = 2

export const contentDuplicated: Rule = {
  category: 'content',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'Text of the blog is there more than once.',
  advice: 'Put htmlContent into the page once: look for a script that adds it to what the server has sent already.',
  find
}

function find ({ facts }: Sight): Found | null {
  const long = facts.blocks.filter(({ text, place }) => place !== null && isLong(text))
  const twice = long.filter(({ copies, expectedCopies }) => copies > Math.max(1, expectedCopies))
  const share = shareOf(twice, long)
  const inBody = twice.filter((block) => long.indexOf(block) >= LEAD_BLOCKS && isLong(block.text, 60))
  const isWhole = share > WHOLE_BLOG && twice.length > LEAD_BLOCKS
  if (!isWhole && inBody.length === 0) return null
  const places = twice.map((block) => ({ place: block.copy ?? block.place!, block: block.index }))
  return { extent: share, places, evidence: { share: rounded(share), blocks: twice.length, text: twice[0]!.text.slice(0, 120) }, ...(isWhole ? {} : { severity: 'medium' as const }) }
}
