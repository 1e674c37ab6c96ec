/**
 * The widths and formats of images. Images are never enlarged: a larger width returns the original
 * width.
 */
export const IMAGE_WIDTHS = [320, 640, 960, 1280, 1920] as const
export const IMAGE_FORMATS = ['avif', 'webp', 'jpeg', 'png', 'auto'] as const
export type ImageWidth = (typeof IMAGE_WIDTHS)[number]
export type ImageFormat = Exclude<(typeof IMAGE_FORMATS)[number], 'auto'>
