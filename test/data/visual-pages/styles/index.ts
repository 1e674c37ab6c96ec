import type { SiteStyle } from '../types.ts'
import { FIFTH_TUNE } from './fifth.ts'
import { FOURTH_TUNE } from './fourth.ts'
import { OWN_HELD_OUT } from './held-out-own.ts'
import { PACKAGES_HELD_OUT } from './held-out-packages.ts'
import { SEVENTH_CLASSLESS } from './seventh-classless.ts'
import { SEVENTH_DOCS } from './seventh-docs.ts'
import { SEVENTH_LAST } from './seventh-last.ts'
import { SEVENTH_MANUALS } from './seventh-manuals.ts'
import { SEVENTH_PACKAGES } from './seventh-packages.ts'
import { SEVENTH_PAGES } from './seventh-pages.ts'
import { SEVENTH_PRESS } from './seventh-press.ts'
import { SEVENTH_TYPE } from './seventh-type.ts'
import { SIXTH_BLOGS } from './sixth-blogs.ts'
import { SIXTH_BOXES } from './sixth-boxes.ts'
import { SIXTH_DESIGN } from './sixth-design.ts'
import { SIXTH_DOCS } from './sixth-docs.ts'
import { SIXTH_LATER } from './sixth-later.ts'
import { SIXTH_STRUCTURE } from './sixth-structure.ts'
import { SIXTH_TYPE } from './sixth-type.ts'
import { OWN_TUNE } from './tune-own.ts'
import { PACKAGES_TUNE } from './tune-packages.ts'

/** Twelve sites for each half of the pages. */
export const STYLES: readonly SiteStyle[] = [...OWN_TUNE, ...PACKAGES_TUNE, ...OWN_HELD_OUT, ...PACKAGES_HELD_OUT]

/** Sites of the fourth set, all of the half `tune`. */
export const FOURTH_STYLES: readonly SiteStyle[] = FOURTH_TUNE

/** Sites of the fifth set, all of the half `tune`. */
export const FIFTH_STYLES: readonly SiteStyle[] = FIFTH_TUNE

/** Sites of the sixth set, all of the half `tune`. */
export const SIXTH_STYLES: readonly SiteStyle[] = [
  ...SIXTH_BLOGS,
  ...SIXTH_DOCS,
  ...SIXTH_DESIGN,
  ...SIXTH_TYPE,
  ...SIXTH_STRUCTURE,
  ...SIXTH_BOXES
]

/** Written when the rules had been tuned on the others. Only their plain pages are checked. */
export const SIXTH_LATER_STYLES: readonly SiteStyle[] = SIXTH_LATER

/** Sites of the seventh set, all of the half `tune`. */
export const SEVENTH_STYLES: readonly SiteStyle[] = [
  ...SEVENTH_CLASSLESS,
  ...SEVENTH_DOCS,
  ...SEVENTH_MANUALS,
  ...SEVENTH_PRESS,
  ...SEVENTH_TYPE,
  ...SEVENTH_PAGES
]

/** Written after the others. Only their plain pages are checked. */
export const SEVENTH_LATER_STYLES: readonly SiteStyle[] = [...SEVENTH_PACKAGES, ...SEVENTH_LAST]
