import type { PostSource } from '../types.ts'
import { CALLIGRAPHY, MINT } from './arabic.ts'
import { SOURDOUGH, TIDES } from './english-held-out.ts'
import { LOGS, TAP } from './english-tune.ts'
import { BREAD, CHAIN } from './german.ts'
import { GARDEN, WALLET } from './japanese.ts'
import { AZULEJOS, COFFEE, COMPOST, INTERVIEW, RELEASE } from './seventh-latin.ts'
import { KIMCHI, NOODLES, SAFFRON, WINDS } from './seventh-scripts.ts'
import { BACKUPS, ESSAY, NOTE, QUESTIONS, SOUP, WALKS } from './sixth-latin.ts'
import { HONEY, MANGO, SKATES, TEA, WELL } from './sixth-scripts.ts'

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

/** Posts of the sixth set only, all of the half `tune`: other lengths, other scripts, and posts of only one kind of block. */
export const SIXTH_POSTS: readonly PostSource[] = [
  ESSAY,
  BACKUPS,
  HONEY,
  WALKS,
  NOTE,
  TEA,
  SOUP,
  SKATES,
  QUESTIONS,
  WELL,
  MANGO
]

/** Posts of the seventh set only, all of the half `tune`. */
export const SEVENTH_POSTS: readonly PostSource[] = [
  COMPOST,
  SAFFRON,
  RELEASE,
  KIMCHI,
  INTERVIEW,
  AZULEJOS,
  NOODLES,
  COFFEE,
  WINDS
]
