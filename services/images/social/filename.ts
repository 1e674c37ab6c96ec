import { createHash } from 'node:crypto'
import type { DeliverableImage } from '../deliver.ts'
import { SOCIAL_HEIGHT, SOCIAL_WIDTH } from './patterns.ts'

/** Increment when the design changes, so that images get new names. */
const DESIGN_VERSION = 1
/** An image that must be enlarged more than this looks worse than a card. */
const MAX_ENLARGEMENT = 2

/**
 * Input of a social image: the first image of the blog or, without one that is large enough, the
 * title and the brand.
 */
export interface SocialInputs {
  blogId: string
  title: string
  brand?: string | null
  image?: DeliverableImage | null
}

/**
 * The file name of a social image, derived from all its input, so that the content of a name never
 * changes.
 */
export function socialFilename(inputs: SocialInputs): string {
  const image = largeEnough(inputs.image)
  const depends =
    image !== null
      ? [DESIGN_VERSION, 'image', image.hash]
      : [DESIGN_VERSION, 'card', inputs.title, inputs.brand ?? null]
  return `og-${createHash('sha256').update(JSON.stringify(depends)).digest('hex').slice(0, 16)}.jpg`
}

/** Whether a name is that of a social image; uploads never have this form. */
export function isSocialFilename(filename: string): boolean {
  return /^og-[0-9a-f]{16}\.jpg$/.test(filename)
}

/** The image, unless it would have to be enlarged too much. */
export function largeEnough(image: DeliverableImage | null | undefined): DeliverableImage | null {
  if (image === null || image === undefined) return null
  return Math.max(SOCIAL_WIDTH / image.width, SOCIAL_HEIGHT / image.height) <= MAX_ENLARGEMENT ? image : null
}
