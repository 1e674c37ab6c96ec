import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'

/**
 * Whether a telephone lays the page out for a wide screen and shows all of it small: no viewport
 * meta element, or one with a fixed width.
 */
export const isWithoutViewport = ({ viewport, width, document }: ViewportSnapshot): boolean =>
  viewport === 'mobile' && document.layoutWidth > width * 1.3
