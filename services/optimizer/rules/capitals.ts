import { languageOf } from '../../../lib/transliterate.ts'

const LETTER = /\p{L}/u
const SMALL = /\p{Ll}/u
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu
/** Languages with special case mapping of i. Elsewhere, the locale changes nothing. */
const SPECIAL_CASING: ReadonlySet<string> = new Set(['tr', 'az', 'lt'])
/** Abbreviations that stay in capitals. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [
    'AC AM BBQ BMX BPA CD CPU DC DIY DSLR DVD EDP EDT EU FHD FM GOTS GPS GPU GSM HD HDD HDMI HDR HEPA HIFI II III IP',
    'IPS IV LAN LCD LED LTE MTB MP3 MP4 NFC OLED PC PVC QLED RAM RGB ROM SD SIM SPF SSD TFT TV UHD UK US USA',
    'USB UV VGA VI VII VIII VR WLAN XL XS XXL XXXL'
  ].flatMap((line) => line.split(' '))
)

/**
 * Converts a title of at least two words in all capitals to capitalize words. Words with digits,
 * known abbreviations, and words in `spellings` (such as the brand) keep their spelling. Other
 * titles are returned unchanged.
 */
export function withoutAllCaps(title: string, locale: string, spellings: string[]): string {
  const words = title.split(' ').filter((word) => LETTER.test(word))
  if (words.length < 2 || SMALL.test(title) || !/\p{Lu}/u.test(title)) return title
  const language = languageOf(locale)
  const caseLocale = SPECIAL_CASING.has(language) ? language : 'en'
  const known = knownSpellings(spellings)
  return title.replace(
    WORD,
    (word) => known.get(word.toUpperCase()) ?? (keepsCapitals(word) ? word : capitalize(word, caseLocale))
  )
}

/** Words in capitals per sentence that are taken as names. */
const MAX_CAPITALIZED = 1
const CAPITALIZED = /^\p{Lu}{4,}$/u

/** A letter after a number is a unit, such as `26 L`. */
const UNIT = /^(?:C|F|K|L|V|W)$/
const MEASURE = /^\p{N}+(?:[KCM]M|[KM]G|ML)$/u
const AFTER_NUMBER = /\p{N}\s?$/u

/**
 * Converts words in all capitals in a sentence to small letters, if there are several. Of
 * `spellings`, words in sequence, such as a product's name, and words with unusual capitals keep
 * their spelling there. Abbreviations keep their capitals.
 */
export function withoutCapitalizedRuns(sentence: string, spellings: string[]): string {
  const isCapitalized = (word: string) => CAPITALIZED.test(word) && !ABBREVIATIONS.has(word)
  const words = sentence.match(WORD) ?? []
  if (words.filter(isCapitalized).length <= MAX_CAPITALIZED) return sentence
  const isEntirely = words.every((word) => !SMALL.test(word))
  const known = knownSpellings(spellings)
  const sequences = spellings.map((spelling) => ` ${(spelling.toUpperCase().match(WORD) ?? []).join(' ')} `)
  const isInSequence = (at: number) =>
    [words.slice(at - 1, at + 1), words.slice(at, at + 2)].some(
      (pair) => pair.length === 2 && sequences.some((sequence) => sequence.includes(` ${pair.join(' ')} `))
    )
  let at = -1
  return sentence.replace(WORD, (word, offset: number) => {
    at++
    const spelling = known.get(word.toUpperCase())
    if (MEASURE.test(word)) return word.toLowerCase()
    const isSpelled =
      spelling !== undefined && (spellings.includes(spelling) || !/^\p{Lu}\p{Ll}+$/u.test(spelling) || isInSequence(at))
    if (isSpelled) return spelling
    if (isCapitalized(word)) return word.toLocaleLowerCase('en')
    const isName = word === 'I' || (UNIT.test(word) && AFTER_NUMBER.test(sentence.slice(0, offset)))
    return isEntirely && !isName && !keepsCapitals(word) ? word.toLocaleLowerCase('en') : word
  })
}

/** Spellings with small letters only: a title in capitals does not show how its words are written. */
function knownSpellings(spellings: string[]): Map<string, string> {
  return new Map(
    spellings
      .flatMap((spelling) => [...spelling.split(' '), ...(spelling.match(WORD) ?? [])])
      .map((word) => [word.toUpperCase(), word])
  )
}

/** Whether a word is an abbreviation or a code, such as `BM` in `Monitor BM-300`. Not `LED`, which says what it is. */
export const isCodeWord = (word: string): boolean => /^\p{Lu}{2,4}$/u.test(word) && !ABBREVIATIONS.has(word)

function keepsCapitals(word: string): boolean {
  // A word without a vowel is spoken letter by letter: `TWS`.
  return /\p{N}/u.test(word) || ABBREVIATIONS.has(word) || /^[B-DF-HJ-NP-TV-XZ]{2,4}$/.test(word)
}

function capitalize(word: string, language: string): string {
  const [first = '', ...rest] = Array.from(word)
  return first + rest.join('').toLocaleLowerCase(language)
}
