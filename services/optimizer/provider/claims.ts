/**
 * Words that state a fact about a product or praise it, by kind of claim. Folded words, also with an
 * inflected ending. `*` at the end stands for any ending. `*` at the beginning also matches the
 * inside of a compound, which German writes as one word.
 */
const PATTERNS = {
  material: [
    'leather suede fur cotton wool woolen merino cashmere silk silky linen flannel denim velvet satin polyester',
    'nylon acryl* elastane spandex lycra viscose bamboo cork rattan wicker jute hemp steel stainless iron alumin*',
    'brass bronze copper titanium chrome zinc pewter gold golden silver platinum diamond pearl crystal glass',
    'ceramic* porcelain stoneware earthenware marble granite slate concrete wood wooden oak walnut beech pine',
    'birch maple ash teak mahogany acacia plywood plastic silicone rubber latex vinyl pvc carbon fiberglass paper',
    'cardboard feather foam fleece metal* *leder* *baumwoll* *wolle* *seide* *samt* *stahl* *eisen* messing*',
    'kupfer* *silber* *glas* *keramik* *porzellan* marmor* granit* beton* *holz* *eiche* nussbaum* buche kiefer*',
    'birke* ahorn* *kunststoff* *plastik* gummi* daunen* leinen* cuir coton laine soie velours acier laiton',
    'cuivre argent verre ceramique porcelaine marbre bois chene noyer hetre plastique caoutchouc cuero algodon',
    'lana seda terciopelo acero hierro laton cobre plata vidrio ceramica porcelana marmol madera roble nogal goma',
    'cotone velluto acciaio ottone argento vetro legno quercia plastica couro algodao aco ferro latao prata vidro',
    'leer katoen zijde fluweel staal ijzer'
  ],
  certification: [
    'certif* zertifi* gepruft* approved accredit* licens* patent* tested dermatolog* clinical* fsc gots oeko*',
    'fairtrade organic* bio biologi* okolog* ecolog* vegan* vegetari* halal kosher koscher cruelty sustainab*',
    'nachhaltig* durable sostenib* recycl* recicl* riciclat* climate klima* compostab* biodegrad* hypoallerg*',
    'nontoxic toxic* bpa allergen* sulfat* paraben* gluten* lactose laktose* medical* medizin* standard* norm din',
    'iso'
  ],
  superlative: [
    'best finest greatest ultimate perfect* unbeat* unmatch* unrival* unparallel* incomparabl* exceptional*',
    'extraordinar* outstanding superior supreme premium luxur* exclusiv* excellen* world leading foremost',
    'revolution* innovat* iconic legendar* unique* ideal* beste hochste niedrigste schnellste leichteste starkste',
    'kleinste grosste leiseste weichste einzigartig* perfekt* unschlagbar* unubertroff* exklusiv* luxurio*',
    'hochwertig* erstklassig* hervorragend* weltweit* fuhrend* meilleur* parfait* inegal* exception* superieur*',
    'luxueu* exclusif* mejor* insuperab* inigualabl* excepcional* lujos* miglior* perfett* eccezional* lussuos*',
    'esclusiv* melhor* perfeit*'
  ],
  promise: [
    'free guarant* warrant* official* authentic* genuine cheap* discount* sale ship* deliver* award* cure cured',
    'curing heal heals healing proven lifetime kostenlos* gratis garanti* rabatt* versand* gratuit* livraison',
    'envio garantia* descuento* sconto spedizione frete verzending korting stock lager* bestseller* refund*',
    'return* popular* beliebt*'
  ],
  property: [
    'waterproof* waterresist* water wasserdicht* wasserfest* wasserabweis* impermeab* etanche* fireproof* flame*',
    'feuerfest* windproof* winddicht* breathab* atmungsaktiv* respirant* transpirab* unbreakab* unzerbrech*',
    'bruchsicher* scratch* kratzfest* shatter* rustproof* rust rostfrei* inoxyd* inoxid* dishwasher* *spulmasch*',
    'microwave* mikrowell* machine waschbar* washab* lavab* handmade handcraft* handgemacht* handgefert* artisan*',
    'handwoven antibacter* antibakt* antimicrob* wireless* bluetooth wifi rechargeab* wiederauflad* adjustab*',
    'verstellbar* reglab* ajustab* foldab* faltbar* plegab* noise* gerausch* energy energie* reusab*',
    'wiederverwend* indestruct* maintenance wartungsfrei* odorless geruchlos* insulat* isolier* thermal*',
    'reversib* stackab* stapelbar*'
  ]
}

export type ClaimKind = keyof typeof PATTERNS

const ENDINGS = '(?:s|es|e|n|en|em|er)?'

function toPattern(entry: string): RegExp {
  const word = entry.replaceAll('*', '')
  return new RegExp(`${entry.startsWith('*') ? '' : '^'}${word}${entry.endsWith('*') ? '' : `${ENDINGS}$`}`)
}

const CLAIMS = Object.entries(PATTERNS).flatMap(([kind, lines]) =>
  lines.flatMap((line) => line.split(' ')).map((entry) => ({ kind: kind as ClaimKind, pattern: toPattern(entry) }))
)
/** English superlatives that no list names, and words that only look like one. */
const SUPERLATIVE = /^[a-z]{3,}est$/
const NO_SUPERLATIVE = new Set(
  [
    'forest modest honest invest digest harvest interest request contest protest suggest manifest',
    'armrest headrest footrest backrest'
  ].flatMap((line) => line.split(' '))
)

/** Words that deny the claim that follows, directly or after one other word. */
const NEGATIONS = new Set(
  [
    'no not non without never isn aren doesn don nicht kein keine keinen keiner ohne nie pas sans aucun jamais sin',
    'nunca ningun senza nao sem niet geen zonder'
  ].flatMap((line) => line.split(' '))
)
/** The second part of words such as `gluten-free`, which deny the claim before it. */
const FREE = /^(?:free|frei(?:e|er|es|en|em)?)$/

/** A word of a text that its source does not support. */
export interface Claim {
  word: string
  kind: ClaimKind
}

/** Whether words that match are used to state a claim, to deny it, or both. */
function usesOf(words: readonly string[], pattern: RegExp): { stated: boolean; denied: boolean } {
  const uses = { stated: false, denied: false }
  for (const [i, word] of words.entries()) {
    if (!pattern.test(word)) continue
    const isDenied =
      NEGATIONS.has(words[i - 1] ?? '') || NEGATIONS.has(words[i - 2] ?? '') || FREE.test(words[i + 1] ?? '')
    uses[isDenied ? 'denied' : 'stated'] = true
  }
  return uses
}

/**
 * The claims of a text that its source does not make: the source has no such word, or denies it
 * where the text states it, or states it where the text denies it. All words are folded and in the
 * order of the text.
 */
export function unsupportedClaims(words: readonly string[], sourceWords: readonly string[]): Claim[] {
  const listed = CLAIMS.flatMap(({ kind, pattern }) => {
    const word = words.find((candidate) => pattern.test(candidate))
    if (word === undefined) return []
    const text = usesOf(words, pattern)
    const source = usesOf(sourceWords, pattern)
    return (!text.stated || source.stated) && (!text.denied || source.denied) ? [] : [{ word, kind }]
  })
  const superlatives = words.filter(
    (word) => SUPERLATIVE.test(word) && !NO_SUPERLATIVE.has(word) && !sourceWords.includes(word)
  )
  return [...listed, ...superlatives.map((word) => ({ word, kind: 'superlative' as const }))]
}
