import { languageOf } from '../../../lib/transliterate.ts'

const LETTER = /\p{L}/u
const SMALL = /\p{Ll}/u
/** Languages whose i is cased in their own way; everywhere else the locale changes nothing. */
const OWN_CASING: ReadonlySet<string> = new Set(['tr', 'az', 'lt'])
/** Written in capitals also where nothing is shouted. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    'AC AM BBQ BMX CD CPU DC DIY DSLR DVD EDP EDT EU FHD FM GPS GPU GSM HD HDD HDMI HEPA HIFI II III IP IPS IV LAN LCD LED LTE MP3 MP4 NFC OLED PC PVC QLED RAM RGB ROM SD SIM ' +
    'SPF SSD TFT TV UHD UK US USA USB UV VGA VI VII VIII WLAN XL XS XXL XXXL'
  ).split(' ')
)

/**
 * A title that is all capitals, of two words or more, with capitals only where a word begins. Words
 * with digits, known abbreviations and what `spellings`
 * (such as the brand) has are left as they are there. Other titles come back unchanged.
 */
export function withoutShouting(title: string, locale: string, spellings: string[]): string {
  const words = title.split(' ').filter((word) => LETTER.test(word))
  if (words.length < 2 || SMALL.test(title) || !/\p{Lu}/u.test(title)) return title
  const language = languageOf(locale)
  const own = OWN_CASING.has(language) ? language : 'en'
  const known = new Map(spellings.flatMap((spelling) => spelling.split(' ')).map((word) => [word.toUpperCase(), word]))
  return title.replace(
    /[\p{L}\p{M}\p{N}'’]+/gu,
    (word) => known.get(word.toUpperCase()) ?? (keepsItsCapitals(word) ? word : capitalized(word, own))
  )
}

function keepsItsCapitals(word: string): boolean {
  return /\p{N}/u.test(word) || ABBREVIATIONS.has(word)
}

function capitalized(word: string, language: string): string {
  const [first = '', ...rest] = Array.from(word)
  return first + rest.join('').toLocaleLowerCase(language)
}
