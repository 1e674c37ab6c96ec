import type { VisualCheck, VisualCheckScreenshot } from '../../../../schemas/visual-check.ts'
import { html, type Markup } from './markup.ts'

/** The bytes of pictures by their names. */
export type ReportPictures = ReadonlyMap<string, Uint8Array>
export type ShownPicture = Pick<VisualCheckScreenshot, 'kind' | 'viewport' | 'finding' | 'width' | 'height'> & {
  source: string
}

/**
 * The pictures of a check that are at hand, in its order, each as an address that carries its
 * bytes.
 */
export function picturesOf({ screenshots }: VisualCheck, pictures: ReportPictures): ShownPicture[] {
  return screenshots.flatMap(({ name, ...rest }) => {
    const bytes = pictures.get(name)
    return bytes === undefined
      ? []
      : [{ ...rest, source: `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}` }]
  })
}

export function figure(
  { source, kind, viewport, width, height }: ShownPicture,
  { alt, caption }: { alt: string; caption: string }
): Markup {
  return html`<figure class="${kind} ${viewport}"><img src="${source}" width="${width}" height="${height}" alt="${alt}"><figcaption>${caption}</figcaption></figure>`
}
