import type { HarmlessChange } from '../types.ts'
import { HARMLESS_HELD_OUT } from './held-out.ts'
import { HARMLESS_TUNE } from './tune.ts'

export const HARMLESS_CHANGES: readonly HarmlessChange[] = [...HARMLESS_TUNE, ...HARMLESS_HELD_OUT]
