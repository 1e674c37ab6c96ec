import { normalize } from './normalize.ts'

/** The primary language subtag of a BCP 47 tag, in lower case: `de` of `de-AT`. */
export function languageOf(locale: string): string {
  return (locale.split('-', 1)[0] ?? '').toLowerCase()
}

/** Parses `a:b c:d`. */
function table(pairs: string): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.split(' ').map((pair) => pair.split(':') as [string, string]))
}

const GERMAN = { ä: 'ae', ö: 'oe', ü: 'ue' }
const NORDIC = { å: 'aa', ø: 'oe', æ: 'ae' }

/**
 * Letters that a language writes as two when the keyboard lacks them; in other languages the same
 * letters lose their diacritics. Lower case, NFC.
 */
export const LOCAL_SPELLINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: GERMAN,
  da: NORDIC,
  nb: NORDIC,
  nn: NORDIC,
  no: NORDIC
}

/** Latin letters without a Unicode decomposition into a base letter and marks. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = table(
  'ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ı:i ħ:h ŋ:ng ŧ:t ə:e ƒ:f ĸ:k'
)

/** BGN/PCGN romanization of Russian without signs, plus letters of other Slavic alphabets. */
const CYRILLIC_LETTERS: Readonly<Record<string, string>> = table(
  'а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ' +
    'ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g ў:w ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѓ:gj ќ:kj ' +
    'ѕ:dz'
)
const CYRILLIC_BY_LANGUAGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  uk: { г: 'h', и: 'y', й: 'i' },
  be: { г: 'h' },
  bg: { щ: 'sht', ъ: 'a', х: 'h' },
  sr: { ж: 'z', х: 'h', ц: 'c', ч: 'c', ш: 's' },
  mk: { х: 'h', ц: 'c' }
}

/** ELOT 743, simplified to one spelling for each letter. */
const GREEK_LETTERS: Readonly<Record<string, string>> = table(
  'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
)
const GREEK_PAIRS: Readonly<Record<string, string>> = { ου: 'ou', αυ: 'av', ευ: 'ev', γγ: 'ng' }

/**
 * Lower-cases a text and writes Latin, Cyrillic and Greek letters in ASCII. Characters without a
 * table (Chinese, Arabic, symbols) are unchanged. The language of `locale` decides where languages
 * differ: `ä` is `ae` in German, otherwise `a`.
 */
export function transliterate(text: string, locale: string): string {
  const language = languageOf(locale)
  const own = { ...LATIN_LETTERS, ...CYRILLIC_LETTERS, ...LOCAL_SPELLINGS[language], ...CYRILLIC_BY_LANGUAGE[language] }
  const mapped = Array.from(normalize(text, 'NFKC').toLowerCase(), (letter) =>
    Object.hasOwn(own, letter) ? own[letter] : letter
  ).join('')
  // Greek loses its accents first, so that the pairs are found under them.
  return normalize(mapped, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ου|αυ|ευ|γγ/g, (pair) => GREEK_PAIRS[pair] ?? pair)
    .replace(/[α-ω]/g, (letter) => GREEK_LETTERS[letter] ?? letter)
}
