import { bigrams, splitAtApostrophes, splitText, type SplitText } from '../../../lib/text.ts'
import { languageOf } from '../../../lib/transliterate.ts'

/** Input of a vector. `text` is the visible text of the body. */
export interface VectorSource {
  title: string
  description: string
  text: string | SplitText
  locale: string
}

const FIELD_WEIGHTS = { title: 5, description: 3, text: 1 } as const
const MAX_TERMS = 200
const MAX_TERM_LENGTH = 64
/**
 * Weight of a pair of words: a pair is more specific, but its words count as well (measured with
 * bench/related.ts).
 */
const PHRASE_WEIGHT = 0.7
const HIRAGANA_ONLY = /^\p{sc=Hiragana}+$/u

/**
 * Weighted terms of a blog, at most 200: the square root of the number of occurrences (title × 5,
 * description × 3, text × 1), with two decimals. Two adjacent words are also a term (`open source`)
 * if they occur more than once, or in title or description. With more than 200 terms, heavy and
 * long ones are terms, because long words are rarer in every language (Zipf's law of abbreviation),
 * then earlier ones. The true rarity is known only to the index of all blogs.
 */
export function createVector(source: VectorSource): [string, number][] {
  const counts: Counts = { words: new Map(), numbers: new Map() }
  const stopWords = stopWordsFor(source.locale)
  for (const field of ['title', 'description', 'text'] as const) {
    addTerms(source[field], { counts, stopWords, weight: FIELD_WEIGHTS[field] })
  }
  return weighTerms(counts)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MAX_TERMS)
    .map(({ term, weight }) => [term, Math.round(weight * 100) / 100])
}

/**
 * The counts of words and pairs, in order of appearance. A word has a number, in order of appearance; a
 * pair has PAIR × (the number of its first word + 1) + that of its second. Most pairs occur once, and their
 * strings would take longer to make and to look up than everything else.
 */
interface Counts {
  words: Map<string, number>
  numbers: Map<number, number>
}

/** More than a text has words. */
const PAIR = 2 ** 24

interface Counting {
  counts: Counts
  stopWords: ReadonlySet<string>
  weight: number
}

function weighTerms({ words, numbers }: Counts): { term: string; weight: number; worth: number }[] {
  const names = [...words.keys()]
  const terms: { term: string; weight: number; worth: number }[] = []
  for (const [number, count] of numbers) {
    const isPair = number >= PAIR
    if (isPair && count < 2) continue
    const term = isPair ? `${names[Math.floor(number / PAIR) - 1]} ${names[number % PAIR]}` : names[number]!
    const weight = Math.sqrt(count) * (isPair ? PHRASE_WEIGHT : 1)
    terms.push({ term, weight, worth: weight * Math.log(1 + Math.min(term.length, 12)) })
  }
  return terms
}

function addTerms(source: string | SplitText, { counts, stopWords, weight }: Counting): void {
  const { words, numbers } = counts
  const add = (number: number) => numbers.set(number, (numbers.get(number) ?? 0) + weight)
  const isTerm = (word: string) => word.length > 1 && word.length <= MAX_TERM_LENGTH && !stopWords.has(word)

  function addWord(word: string): number {
    let number = words.get(word)
    if (number === undefined) words.set(word, (number = words.size))
    add(number)
    return number
  }

  let before: number | null = null
  for (const run of (typeof source === 'string' ? splitText(source) : source).runs) {
    if (run.spaceless) {
      const pairs = bigrams(run.text).filter((pair) => !HIRAGANA_ONLY.test(pair) && isTerm(pair))
      pairs.forEach(addWord)
      before = null
      continue
    }
    const word = longestPart(run.text)
    const number: number | null = isTerm(word) ? addWord(word) : null
    if (number !== null && before !== null) add(PAIR * (before + 1) + number)
    before = number
  }
}

/** The longest part of a word with apostrophes: `john` of john's, `ete` of l'été. */
function longestPart(word: string): string {
  return splitAtApostrophes(word).reduce((longest, part) => (part.length > longest.length ? part : longest))
}

/**
 * Folded function words, left out of vectors because their size is limited. The rarity of all other
 * words is computed over the blogs.
 */
const LISTS: Readonly<Record<string, string>> = {
  en:
    'about above after again all also am an and any are as at be because been before being between both ' +
    'but by can could did do does doing don down during each even few first for from further get had has ' +
    'have having he help her here him his how if in into is it its itself just like ll make many may me ' +
    'more most much my need new no not now of off on once one only or other our out over own people re ' +
    'same she should so some such than that the their them then there these they this those through to ' +
    'too two under until up us use used using ve very was way we well were what when where which while ' +
    'who why will with work would you your',
  de:
    'aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis ' +
    'bist da damit dann das dass dein dem den denn der des die dies diese diesem diesen dieser dieses ' +
    'doch dort du durch ein eine einem einen einer eines er es etwas euch fur gegen haben hat hatte hier ' +
    'ich ihr ihre im in ins ist ja jede jeder kann kein keine konnen machen man mehr mein mit muss nach ' +
    'nicht noch nur ob oder ohne schon sehr sein seine sich sie sind so uber um und uns unser unter viel ' +
    'vom von vor war waren was weil wenn werden wie wieder will wir wird wo zu zum zur zwischen',
  fr:
    'ai au aussi autre aux avec avoir bien ce ces cet cette chez comme dans de des donc dont du elle ' +
    'elles en encore entre est et etait ete etre eu fait faire il ils je jour la le les leur leurs lui ma ' +
    'mais me meme mes moins mon ne ni nos notre nous on ont ou par pas peut plus pour qu que quel quelle ' +
    'qui quoi sa sans se sera ses si son sont sous sur ta te tes tout toute toutes tous tres tu un une ' +
    'vos votre vous',
  es:
    'al algo ante antes asi cada como con cual cuando de del desde donde dos el ella ellos en entre era ' +
    'es esa ese eso esta estan estar este esto estos fue ha hacer han hasta hay la las le les lo los mas ' +
    'me mi mientras muy nada ni no nos nosotros nuestro nuestra otra otro otros para pero poco por porque ' +
    'puede que quien se ser si sin sobre son su sus tambien tan te tiene todo todos tu un una uno unos ' +
    'usted ya yo',
  it:
    'ad agli ai al alla alle anche ancora che chi ci come con cosa cui da dal dalla dei del della delle ' +
    'dello di dopo dove due e ed era essere fa fare fino gia gli ha hanno ho il in io la le lo loro lui ' +
    'ma mi molto nei nel nella nelle noi non nostro o ogni per perche piu poi prima puo quale quando ' +
    'quando quella quelle quello questa queste questo qui se sei senza si sia sono sta su sua sue sul ' +
    'sulla suo te tra tu tutti tutto un una uno vi',
  pt:
    'ao aos as ate com como da das de dela dele depois do dos ela elas ele eles em entre era essa esse ' +
    'esta estao estar este eu foi for ha isso isto ja la mais mas me mesmo meu minha muito na nao nas nem ' +
    'no nos nossa nosso num numa o os ou outra outro para pela pelo pode por porque qual quando que quem ' +
    'se sem ser seu sua suas sao so sobre tambem tem ter toda todo todos tu um uma voce',
  nl:
    'aan al alle als altijd andere ben bij daar dan dat de der deze die dit doen door dus een en er ge ' +
    'geen had heb hebben heeft hem het hier hij hoe hun ik in is ja je kan kunnen maar me meer men met ' +
    'mijn moet na naar niet nog nu of om omdat onder ons ook op over te tegen toch toen tot u uit uw van ' +
    'veel voor want waren was wat we wel werd wie wij wil worden wordt zal ze zelf zich zij zijn zo ' +
    'zonder zou'
}
const SETS = new Map(Object.entries(LISTS).map(([language, words]) => [language, new Set(words.split(' '))]))
const NONE: ReadonlySet<string> = new Set()

/** Folded stop words of a language; empty for a language without a list. */
export function stopWordsFor(locale: string): ReadonlySet<string> {
  return SETS.get(languageOf(locale)) ?? NONE
}
