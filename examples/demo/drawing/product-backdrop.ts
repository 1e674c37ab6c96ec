import { fade, oval, picture, rect, type Picture } from './svg.ts'

const SIZE = 640

/** A square picture of a product on a plain backdrop with a soft shadow; `tint`: its colors from top to bottom. */
export const onBackdrop = ([top, bottom]: readonly [top: string, bottom: string], ...layers: string[]): Picture =>
  picture(
    SIZE,
    SIZE,
    fade('backdrop', top, bottom),
    rect([0, 0], [SIZE, SIZE], 'url(#backdrop)'),
    oval([SIZE / 2, 562], [236, 24], '#000', 'opacity=".13"'),
    ...layers
  )
