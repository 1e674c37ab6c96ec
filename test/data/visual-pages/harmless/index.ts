import type { HarmlessChange } from '../types.ts'
import { HARMLESS_HELD_OUT } from './held-out.ts'
import { THIRD_HARMLESS_HELD_OUT, THIRD_HARMLESS_TUNE } from './third.ts'
import { HARMLESS_TUNE } from './tune.ts'

export const HARMLESS_CHANGES: readonly HarmlessChange[] = [...HARMLESS_TUNE, ...HARMLESS_HELD_OUT]

/** The third set: written later than the others, without sight of the rules. */
export const THIRD_HARMLESS_CHANGES: readonly HarmlessChange[] = [...THIRD_HARMLESS_TUNE, ...THIRD_HARMLESS_HELD_OUT]
