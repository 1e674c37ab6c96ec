/**
 * The size that Facebook's and LinkedIn's pages on link previews name for the large form, in
 * pixels: about 1.91 to 1.
 */
export const SOCIAL_WIDTH = 1200
export const SOCIAL_HEIGHT = 630
