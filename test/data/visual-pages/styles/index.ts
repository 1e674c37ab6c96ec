import type { SiteStyle } from '../types.ts'
import { OWN_HELD_OUT } from './held-out-own.ts'
import { PACKAGES_HELD_OUT } from './held-out-packages.ts'
import { OWN_TUNE } from './tune-own.ts'
import { PACKAGES_TUNE } from './tune-packages.ts'

/** Twelve sites for each half of the pages. */
export const STYLES: readonly SiteStyle[] = [...OWN_TUNE, ...PACKAGES_TUNE, ...OWN_HELD_OUT, ...PACKAGES_HELD_OUT]
