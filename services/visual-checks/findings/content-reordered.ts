import { longestRun } from './longest-run.ts'
import { movedToTheEye, swappedImages } from './order-to-the-eye.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { placesOf } from './weight.ts'

/** What may wander without harm: a picture's caption with its picture. */
const MAY_WANDER = ['figcaption', 'caption']
const LEAST_SHARE = 0.08

export const contentReordered: Rule = {
  category: 'content',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'The paragraphs or pictures stand in another order than in the blog.',
  advice: 'Keep the order of htmlContent: look for templates that sort, move or split it.',
  find
}

function find({ facts }: Sight): Found | null {
  const known = facts.blocks.filter(
    ({ order, copies, expectedCopies, text, tag }) =>
      order !== null && copies <= 1 && expectedCopies <= 1 && isLong(text, 13) && !MAY_WANDER.includes(tag)
  )
  if (known.length < 3) return null
  const inOrder = longestRun(known.map(({ order }) => order!))
  const movedInText = known.filter((_, at) => !inOrder.has(at))
  const moved = movedInText.length > 0 ? movedInText : movedToTheEye(known)
  const images = swappedImages(facts)
  const share = moved.length / known.length
  if (moved.length === 0 && images.length > 0) {
    return {
      extent: images.length / facts.expectedImages.length,
      places: images.map(({ selector, box }) => ({ place: { selector, box } })),
      evidence: { images: images.map(({ src }) => src.slice(0, 300)).slice(0, 5) }
    }
  }
  if (moved.length === 0 || (share <= LEAST_SHARE && !moved.some(({ text }) => isLong(text)))) return null
  return {
    extent: share,
    places: placesOf(moved),
    evidence: { moved: moved.length, of: known.length, text: moved[0]!.text.slice(0, 120) }
  }
}
