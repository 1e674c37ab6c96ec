import type { HarmlessChange } from '../types.ts'
import { FIFTH_HARMLESS_TUNE } from './fifth.ts'
import { FOURTH_HARMLESS_LATER_TUNE } from './fourth-later.ts'
import { FOURTH_HARMLESS_TUNE } from './fourth.ts'
import { HARMLESS_HELD_OUT } from './held-out.ts'
import { SEVENTH_HARMLESS_TUNE } from './seventh.ts'
import { SIXTH_HARMLESS_TUNE } from './sixth.ts'
import { THIRD_HARMLESS_HELD_OUT, THIRD_HARMLESS_TUNE } from './third.ts'
import { HARMLESS_TUNE } from './tune.ts'

export const HARMLESS_CHANGES: readonly HarmlessChange[] = [...HARMLESS_TUNE, ...HARMLESS_HELD_OUT]

/** The third set: written later than the others, without sight of the rules. */
export const THIRD_HARMLESS_CHANGES: readonly HarmlessChange[] = [...THIRD_HARMLESS_TUNE, ...THIRD_HARMLESS_HELD_OUT]

/** The fourth set: designs that the other sets lack. */
export const FOURTH_HARMLESS_CHANGES: readonly HarmlessChange[] = [
  ...FOURTH_HARMLESS_TUNE,
  ...FOURTH_HARMLESS_LATER_TUNE
]

/** The fifth set: what themes and plugins rightly do. */
export const FIFTH_HARMLESS_CHANGES: readonly HarmlessChange[] = FIFTH_HARMLESS_TUNE

/** The sixth set: what sites add to articles. */
export const SIXTH_HARMLESS_CHANGES: readonly HarmlessChange[] = SIXTH_HARMLESS_TUNE

/** The seventh set: what themes and plugins rightly do. */
export const SEVENTH_HARMLESS_CHANGES: readonly HarmlessChange[] = SEVENTH_HARMLESS_TUNE
