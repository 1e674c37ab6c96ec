import type { PostSource } from '../types.ts'
import { CALLIGRAPHY, MINT } from './arabic.ts'
import { SOURDOUGH, TIDES } from './english-held-out.ts'
import { LOGS, TAP } from './english-tune.ts'
import { BREAD, CHAIN } from './german.ts'
import { GARDEN, WALLET } from './japanese.ts'

/** Five posts for each half of the pages. */
export const POSTS: readonly PostSource[] = [
  TAP,
  LOGS,
  CHAIN,
  MINT,
  WALLET,
  SOURDOUGH,
  TIDES,
  BREAD,
  CALLIGRAPHY,
  GARDEN
]
