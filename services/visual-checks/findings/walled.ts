import type { Sight } from './rule.ts'

const WALL_SHARE = 0.6

/**
 * Whether something lies over nearly the whole page. It often stops the page from being scrolled:
 * what cannot be reached then is told by the wall.
 */
export const isWalled = ({ facts: { layersShare } }: Sight): boolean => layersShare >= WALL_SHARE
