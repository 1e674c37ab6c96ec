import type { BlockSnapshot, ElementLocation, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
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
  version: 2,
  message: 'Text of the blog is there more than once.',
  advice: 'Put htmlContent into the page once: look for a script that adds it to what the server has sent already.',
  find
}

function find({ facts }: Sight): Found | null {
  const long = facts.blocks.filter(({ text, place }) => place !== null && isLong(text))
  const twice = long.filter(({ copies, expectedCopies }) => copies > Math.max(1, expectedCopies))
  const share = shareOf(twice, long)
  const inBody = twice.filter((block) => long.indexOf(block) >= LEAD_BLOCKS && isLong(block.text, 60))
  const repeated = long.filter((block) => twice.includes(block) && isAmongOurs(block, facts))
  const isWhole = share > WHOLE_BLOG && twice.length > LEAD_BLOCKS
  if (!isWhole && inBody.length === 0 && repeated.length === 0) return null
  const places = twice.map((block) => ({ place: block.secondCopy ?? block.place!, block: block.index }))
  return {
    extent: share,
    places,
    evidence: { share: rounded(share), blocks: twice.length, text: twice[0]!.text.slice(0, 120) },
    ...(isWhole ? {} : { severity: 'medium' as const })
  }
}

/** Both in one element: a lead or a teaser has one of its own. */
const isBeside = (one: ElementLocation | null, other: ElementLocation | null): boolean =>
  one !== null && other !== null && one.selector.includes(' > ') && parentOf(one) === parentOf(other)
const parentOf = ({ selector }: ElementLocation): string => selector.slice(0, selector.lastIndexOf(' > '))

/**
 * Whether both copies stand in one element, or below a block of ours that is there once: a lead or
 * a teaser stands above them.
 */
function isAmongOurs({ index, place, secondCopy }: BlockSnapshot, { blocks, article }: ViewportSnapshot): boolean {
  const [one, other, around] = [place?.box, secondCopy?.box, article?.box]
  if (isBeside(place, secondCopy)) return true
  if (!one || !other || !around || other.x < around.x || other.x + other.width > around.x + around.width) return false
  const isAbove = ({ place: above }: BlockSnapshot): boolean =>
    above?.box != null && above.box.y + above.box.height <= Math.min(one.y, other.y) && above.box.y >= around.y
  return (
    other.y + other.height <= around.y + around.height &&
    blocks.some((block) => block.index < index && block.copies === 1 && isAbove(block))
  )
}
