import t from 'tap'
import { splitText } from '../../../lib/text.ts'
import { queryTerms, searchTerms } from '../../../services/blogs/search-terms.ts'
import { generateNaughtyStrings } from '../../data/generate/hostile-strings.ts'
import { seedNote } from '../../data/seed.ts'
import { finds, searchTermProblems } from './text-checks.ts'

t.test('a text is found by its words regardless of case, marks and width', async (t) => {
  t.same(searchTerms('Crème BRÛLÉE, crème — 2 ways!', 'fr'), ['creme', 'brulee', '2', 'ways'])
  const pairs: [string, string, string?][] = [
    ['creme brulee', 'Crème brûlée'],
    ['CRÈME', 'creme'],
    ['istanbul', 'İSTANBUL', 'tr'],
    ['agri', 'Ağrı', 'tr'],
    ['strasse', 'Straße', 'de'],
    ['STRASSE', 'straße'],
    ['οδος', 'ΟΔΌΣ', 'el'],
    ['ΟΔΟΣ', 'οδός'],
    ['еще', 'Ещё', 'ru'],
    ['ｆｕｌｌ', 'full'],
    ['full', 'ＦＵＬＬ'],
    ['file', 'ﬁle'],
    ['lodz', 'Łódź'],
    ['देवनागरी', 'देवनागरी लिपि', 'hi'],
    ['مرحبا', 'مرحبا بالعالم', 'ar'],
    ['cafe\u0301', 'café'],
    ['x86', 'the X86-64 line'],
    ['b', 'a´b']
  ]
  for (const [query, text, locale] of pairs) t.ok(finds(query, text, locale), `${query} finds ${text}`)
})

t.test('all words must match, the last one as a prefix', async (t) => {
  t.ok(finds('garden hos', 'A hose for the garden'))
  t.notOk(finds('gard hose', 'A hose for the garden'))
  t.notOk(finds('garden rake', 'A hose for the garden'))
  t.same(queryTerms('foo bar foo'), ['bar', 'foo'], 'the last word stays last')
  t.same(queryTerms('"?!" — '), [])
})

t.test('words with apostrophes are found in every spelling', async (t) => {
  for (const query of ["don't", 'don’t', 'dont', "DON'T"]) t.ok(finds(query, 'Why we don’t panic'), query)
  for (const query of ["l'été", 'été', 'l’ete']) t.ok(finds(query, "Pendant l'été", 'fr'), query)
  for (const query of ["O'Reilly", 'oreilly', 'reilly', "john's", 'john']) {
    t.ok(finds(query, "O'Reilly met John's friend"), query)
  }
})

t.test('texts without word spaces are found by any substring', async (t) => {
  const texts: [string, string][] = [
    ['東京都の美しい庭園を訪ねる', 'ja'],
    ['人工智能改变世界', 'zh'],
    ['ภาษาไทยง่ายนิดเดียว', 'th'],
    ['서울에서 만나요', 'ko'],
    ['ﾊﾟｿｺﾝ入門', 'ja']
  ]
  for (const [text, locale] of texts) {
    const letters = Array.from(text.normalize('NFKC').replace(/\s.*/, ''))
    const missed = letters
      .flatMap((_, start) => letters.slice(start).map((_, more) => letters.slice(start, start + more + 1).join('')))
      .filter((part) => /[\p{L}\p{N}]/u.test(part) && !finds(part, text, locale))
    t.same(missed, [], text)
  }
  t.same(searchTerms('서울', 'ko'), ['서', '울', '서울'])
  t.notOk(finds('京東', '東京'), 'order counts')
  t.ok(finds('iphone発売', 'iPhone発売日'), 'mixed with Latin')
})

t.test('German and Nordic words are found in both spellings', async (t) => {
  for (const query of ['müller', 'mueller', 'muller', 'MÜLLER']) t.ok(finds(query, 'Herr Müller', 'de'), query)
  t.ok(finds('smoerrebroed', 'Smørrebrød', 'da'))
  t.notOk(finds('mueller', 'Herr Müller', 'sv'))
  t.same(searchTerms('nur ein Satz', 'de'), ['nur', 'ein', 'satz'])
})

t.test('every text is found by its own words', async (t) => {
  t.same(searchTermProblems(generateNaughtyStrings(1_000, { malformed: true })), [], seedNote)
})

t.test('every Unicode letter is found by itself', async (t) => {
  const missed: string[] = []
  for (let code = 1; code < 0x20000; code++) {
    // Skips ideographs and Korean syllables, which are many and all processed alike.
    if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xdfff)) continue
    const word = `ab${String.fromCodePoint(code)}cd`
    if (!finds(word, `one ${word.toUpperCase()} two`) && word.toUpperCase().toLowerCase() === word) {
      missed.push(code.toString(16))
    }
    if (!finds(word, `one ${word} two`)) missed.push(code.toString(16))
  }
  t.same(missed, [])
})

t.test('the number and length of terms are limited', async (t) => {
  const long = Array.from({ length: 6000 }, (_, i) => `word${i}`).join(' ')
  t.equal(searchTerms(long, 'en').length, 5000)
  t.equal(queryTerms(long).length, 16)
  t.same(searchTerms('x'.repeat(500), 'en'), ['x'.repeat(64)])
  t.ok(finds('x'.repeat(500), 'x'.repeat(500)))
  t.same(
    queryTerms('𝒳'.repeat(70)).map((term) => term.length),
    [64]
  )
  t.ok(queryTerms(`a${'𐐨'.repeat(70)}`)[0]!.isWellFormed(), 'no surrogate pair is split')
})

t.test('the terms of a text have a limited length together', async (t) => {
  const long = Array.from({ length: 5_000 }, (_, at) => `${at}`.padStart(64, 'a')).join(' ')
  const terms = searchTerms(long, 'en')
  t.equal(terms.join('').length, 65_536)
  t.equal(terms.length, 1024)
  t.ok(terms.includes('0'.padStart(64, 'a')), 'the first ones')
})

t.test('several texts have the terms of their lines together, also if they were split before', async (t) => {
  const texts = ['Größe und Öl', 'une été d’hiver', '서울 Öl', '']
  for (const locale of ['de', 'fr', 'ko']) {
    const terms = searchTerms(texts.join('\n'), locale)
    t.same(searchTerms(texts, locale), terms, locale)
    t.same(searchTerms(texts.map(splitText), locale), terms, `${locale}, split`)
  }
})
