import type { Defect } from '../types.ts'
import { CONTENT_HELD_OUT } from './held-out-content.ts'
import { DATA_HELD_OUT } from './held-out-data.ts'
import { LAYOUT_HELD_OUT } from './held-out-layout.ts'
import { PAGE_HELD_OUT } from './held-out-page.ts'
import { FOURTH_CONTENT_TUNE } from './fourth-content.ts'
import { FOURTH_LATER_TUNE } from './fourth-later.ts'
import { FOURTH_LAYOUT_TUNE } from './fourth-layout.ts'
import { FIFTH_CONTENT_TUNE } from './fifth-content.ts'
import { FIFTH_LATER_TUNE } from './fifth-later.ts'
import { FIFTH_LAYOUT_TUNE } from './fifth-layout.ts'
import { SEVENTH_CONTENT_TUNE } from './seventh-content.ts'
import { SEVENTH_LAYOUT_TUNE } from './seventh-layout.ts'
import { SEVENTH_LAST_TUNE } from './seventh-last.ts'
import { SEVENTH_LATER_TUNE } from './seventh-later.ts'
import { CONTENT_TUNE } from './tune-content.ts'
import { LAYOUT_TUNE } from './tune-layout.ts'
import { THIRD_HELD_OUT } from './third-held-out.ts'
import { THIRD_TUNE } from './third-tune.ts'
import { PAGE_TUNE } from './tune-page.ts'

export const DEFECTS: readonly Defect[] = [
  ...CONTENT_TUNE,
  ...LAYOUT_TUNE,
  ...PAGE_TUNE,
  ...CONTENT_HELD_OUT,
  ...LAYOUT_HELD_OUT,
  ...PAGE_HELD_OUT,
  ...DATA_HELD_OUT
]

/** The third set: written later than the others, without sight of the rules. */
export const THIRD_DEFECTS: readonly Defect[] = [...THIRD_TUNE, ...THIRD_HELD_OUT]

/** The fourth set: kinds that the other sets lack. */
export const FOURTH_DEFECTS: readonly Defect[] = [...FOURTH_CONTENT_TUNE, ...FOURTH_LAYOUT_TUNE, ...FOURTH_LATER_TUNE]

/** The fifth set: written without sight of the rules, when they were tuned on the fourth one. */
export const FIFTH_DEFECTS: readonly Defect[] = [...FIFTH_CONTENT_TUNE, ...FIFTH_LAYOUT_TUNE, ...FIFTH_LATER_TUNE]

/** The seventh set: written without sight of the rules, too. */
export const SEVENTH_DEFECTS: readonly Defect[] = [
  ...SEVENTH_CONTENT_TUNE,
  ...SEVENTH_LAYOUT_TUNE,
  ...SEVENTH_LATER_TUNE,
  ...SEVENTH_LAST_TUNE
]
