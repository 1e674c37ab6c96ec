import {
  beginning,
  between,
  COOKIE_NOTICES,
  shorterAndShorter,
  words,
  type Facts,
  type Grammar,
  type Measure
} from './grammar.ts'

const DETERMINERS = 'a|an|the|this|that|these|those|its|their|your|any|every|each|all|both|no|some|most|one|two'
const PARTICIPLES =
  'making|providing|offering|featuring|ensuring|giving|allowing|adding|keeping|creating|delivering|bringing|' +
  'letting|' +
  'helping|leaving|reducing|preventing|protecting|holding|turning|taking|combining|blending|showcasing|boasting|' +
  'including|enhancing|complementing|evoking|capturing|lending|enabling|eliminating|supporting|maintaining|' +
  'promoting|resulting|serving|saving|inspired|designed|crafted|made|built|finished|fitted|equipped|accented|' +
  'complete|paired|topped|lined|handcrafted|handmade|constructed|powered|combined|known|loved|named|based'

const UNITS =
  'cm|mm|m|in|inch(?:es)?|ft|kg|g|oz|lbs?|ml|l|liters?|litres?|w|watt|kw|mah|gb|tb|hz|hours?|minutes?|years?|people|' +
  'persons?|seats?|pieces?|layers?|stops?|mp|px|"|″|%|x|×'
const MEASURE = new RegExp(`\\p{N}\\s?(?:${UNITS})(?!\\p{L})`, 'iu')

export const english: Grammar = {
  verbs: words(
    "is|are|was|were|has|have|had|does|do|can|will|may|must|should|isn't|aren't|doesn't|don't|won't|it's|that's|" +
      'comes?|offers?|features?|provides?|makes?|gives?|keeps?|holds?|fits?|works?|brings?|adds?|lets?|takes?|' +
      'combines?|includes?|contains?|delivers?|protects?|allows?|helps?|runs?|sits?|stands?|folds?|opens?|closes?|' +
      'charges?|connects?|lasts?|dries|dry|washes|wash|seats?|weighs?|measures?|uses?|needs?|feels?|looks?|tastes?|' +
      'smells?|pairs?|ships?|stays?|turns?|covers?|carries|carry|ensures?|creates?|captures?|boasts?|showcases?|' +
      'embodies|exudes?|enjoy|achieve|experience|discover|wear|serve|serves|use|mix|perfect for|packs?|plays?|' +
      'cuts?|cooks?|heats?|cools?|lights?|reads?|records?|tracks?|switch(?:es)?|supports?|removes?|reduces?|' +
      'prevents?|resists?|repels?|breathes?|stretches|hugs?|drapes?|falls?|hangs?|rests?|rises?|starts?|stops?|' +
      'stores?|separates?|slides?|snaps?|clips?|locks?|attaches|detaches|adjusts?|tilts?|rotates?|grows?|blooms?|' +
      'gets?|goes|go|leaves?|lies|means?|melts?|moves?|pours?|reaches|releases?|replaces?|shines?|softens?|' +
      'spreads?|' +
      'suits?|sticks?|survives?|wraps?|survive|absorbs?|balances?|blends?|boosts?|complements?|doubles?|enhances?|' +
      'evokes?|glides?|grips?|insulates?|invites?|matches|moisturi[sz]es|nourishes|powers?|produces?|promises?|' +
      'reveals?|shows?|sleeps?|soothes?|tells?|transforms?|was|weaves?|wicks?'
  ),
  droppable: beginning(
    `which|who|whose|where|when|while|whereas|so|because|since|as|but|yet|although|though|unless|until|whether|if|` +
      `even|no matter|thanks|plus|with|without|for|from|ideal|perfect|great|suitable|just right|ready|whatever|` +
      `wherever|however|not to mention|such as|like|especially|particularly|also|too|then|at|by|in|on|to|under|` +
      `after|` +
      `${PARTICIPLES}|and (?:it|its|it's|they|their|this|that|the|you|your|we|there|is|are|has|have|can|will|` +
      `comes?|` +
      `offers?|features?|works?|fits?|keeps?|makes?|even|also|all|each|every|both|with)|(?:each|all|both|one|many) ` +
      `(?:of|with)|(?:${DETERMINERS}) \\p{L}+ (?:that|which|for|with|of|to)`
  ),
  joints: between(
    'and(?= (?:is|are|has|have|can|will|makes?|keeps?|offers?|provides?|adds?|gives?|works?|comes?) )|so that|' +
      'while|because|thanks to|whether|even when|even if|no matter|wherever|whenever'
  ),
  modifiers: between('with|for|that|from|to'),
  predicates: /(?<!\p{L})(?:is|are|was|were|offers?|features?|provides?|has|have|brings?|makes?) (?:an?|the|your) /iu,
  bound: words('not only|both|either|neither|between|whether|not just|more than just|less|from'),
  opener: beginning(
    'with|without|for|if|when|whenever|while|although|though|because|since|in|on|at|from|by|thanks|made|crafted|' +
      'designed|whether|as|after|before|perfect|ideal|built|featuring|combining|using|inspired|like|once|under|' +
      'cut|woven|knit|spun|sewn|set|drawn|shaped|worn|hewn|' +
      'unlike|equipped|available|inside|despite|during|through|whatever|wherever|just|not only|to|' +
      '\\p{L}+ing|\\p{L}+ed'
  ),
  dependent: beginning(
    "it|its|it's|they|their|they're|this|these|those|that|that's|he|she|them|such|both|each|either|neither|one|" +
      'another|other|others|however|also|additionally|moreover|furthermore|in addition|besides|therefore|thus|' +
      'hence|' +
      'as a result|then|but|and|or|so|yet|too|again|instead|otherwise|similarly|likewise|what|because|which|there|' +
      'here|inside|together|combined|alternatively|best of all|on top of that|at the same time|still|finally|first|' +
      'second|secondly|next|meanwhile|for example|for instance|plus|even|not only'
  ),
  demonstrative: beginning('this|these|that|those'),
  reference: beginning("it|its|it's|they|their|they're"),
  innerPronoun: new RegExp(
    String.raw`, (?:it|they)(?:['’]\p{L}+)? (?=\p{L})|(?<!\p{L})(?:it|them)(?=[,.;]|` +
      String.raw` (?:for|with|in|on|at|to|from|by|up|down|out|into)(?!\p{L}))`,
    'iu'
  ),
  pronoun: /^(?<pronoun>it|they)(?<contracted>['’](?:s|re))? (?=\p{Ll})/iu,
  service: words(
    'sizes? runs? (?:small|large|big|true)|(?:fits?|runs?) (?:true to size|small|large)|size (?:up|down)|' +
      'prices? (?:is|are|per|for|includes?)|' +
      '(?:not|isn[’\u0027]t|aren[’\u0027]t) (?:included|supplied)|sold separately|' +
      'free (?:shipping|delivery|returns?)|(?:fast|express|next[- ]day|worldwide|same[- ]day|standard) ' +
      '(?:shipping|delivery|dispatch)|shipping(?! (?:containers?|crates?|boxe?s?|labels?))|we ship|ships? (?:in|' +
      'within|from|free|worldwide|without)|' +
      'dispatche[sd]|delivery (?:in|within|time|costs?|is)|' +
      'return policy|returns? (?:within|accepted|policy|are)|refunds?|money[- ]back|add to (?:cart|bag|basket)|' +
      'order (?:now|today|yours|before|by|online)|buy (?:now|yours|today|online|it|with|\\d)|' +
      'shop (?:now|our|the|online)|grab (?:yours|it)|' +
      'click (?:here|on|the (?:link|button|image)|below|to)|subscribe|newsletter|follow us|contact (?:us|our)|' +
      'get in touch|call us|email us|please (?:note|read|see|' +
      'check|allow|contact|refer|measure|be aware|do not)|note:|n\\.b\\.|colou?rs? (?:may|might|can|could) ' +
      '(?:vary|differ|appear|be|look)|(?:actual|product) (?:product|color|colour|packaging|images?)|' +
      '(?:images?|pictures?|photos?) (?:is|are|may|shown|for)|for illustration|' +
      '(?:size|sizing) (?:chart|guide|table)|see (?:the |our )?(?:size|table|chart|below|photos?|pictures?|' +
      'details)|' +
      'as (?:shown|pictured)|in stock|out of stock|while stocks? lasts?|limited (?:stock|time|offer)|best price|' +
      'lowest price|price match|discount|coupon|promo(?:tion)?|% off|on sale|clearance|customer (?:service|' +
      'reviews?|' +
      'support|satisfaction)|terms and conditions|privacy policy|' +
      `${COOKIE_NOTICES}|` +
      'enable javascript|javascript (?:is|must)|lorem ipsum|dolor sit amet|' +
      '(?:the |our )?model (?:is|wears|measures|shown)|sku|item (?:no|number|code|#)|part (?:no|number)|' +
      'model (?:no|number)|product (?:code|id|number)|' +
      'article (?:no|number)|ref(?:erence)? (?:no|number|code)|style (?:no|number|code)|upc|ean|gtin|isbn|asin|' +
      'all rights reserved|read more|learn more|see more|show more|choking hazard|keep out of reach|' +
      'not (?:suitable|intended) for children|' +
      'warranty (?:card|registration|claim|void)|years? warranty|warranty|guarantee[ds]?|feel free|' +
      'secure (?:checkout|payment)|payments? (?:methods?|options?|plans?|is|are|by|via|can|must)|at checkout|' +
      'gift wrap(?:ping)? (?:is )?available|wholesale|' +
      "gift idea|best[- ]?sell(?:er|ing)|love (?:it|this|these|them)|must[- ]have|you(?:’|')?(?:ll|" +
      ' will) love|second to none|look no further|game[- ]changer|say goodbye|' +
      'treat yourself|what are you waiting|(?:are you|if you are|if you[’\u0027]re) (?:tired of|looking for)|' +
      '(?:five|\\d(?:\\.\\d)?)[- ]stars?|reviews?|(?:customer|user|average|product) ratings?|brand new|' +
      '100% (?:authentic|genuine|brand new)|authentic product|' +
      'family[- ](?:run|owned)|founded (?:in|by)|established in|since (?:18|19|20)\\d\\d|headquarter(?:s|ed)|' +
      'about (?:us|the brand)|' +
      'our (?:team|story|mission|customers|company|brand)|todo|tbd|n/a|placeholder|text goes here'
  ),
  instruction: beginning(
    'do not|don’t (?:use|store|wash|put|leave|expose)|never|always|avoid|caution|warning|attention|disclaimer|' +
      'please|make sure|be sure|ensure (?:that|you)|check|consult|read (?:the|all|these)|refer to|keep (?:away|out)|' +
      '(?:for best results|to (?:avoid|prevent|clean|use|care))|apply|rinse|shake|store (?:in|at|away|below)|' +
      'wow|introducing|meet (?:the|our|your)|tired of|looking for|machine[- ]wash|hand[- ]wash|wash (?:with|' +
      'before|at|in|separately)|tumble|iron|dispose|discard|not for|' +
      'for external use|assembly required|batteries not'
  ),
  company: words("we|we're|we've|us|i|my"),
  vague: words(
    'perfect for any|any occasion|everyone|high[- ]quality|top[- ]quality|premium quality|best[- ]sell(?:er|ing)|' +
      'amazing|awesome|unbelievable|incredible|one of a kind|great gift|perfect gift|in style|' +
      'take your|elevate|step up|touch of|next level'
  ),
  care: words(
    'wash (?:at|with|cold|warm|before|inside|separately)|tumble dry|do not|hand wash only|dry clean|iron on|bleach|' +
      'wipe (?:clean|with|down)|store in|keep (?:refrigerated|dry|away|in)|refrigerate|best before|' +
      'shake (?:well|before)|apply|assembly|batteries (?:are )?(?:not )?included|requires? \\d|ingredients|' +
      'allergens?|' +
      'may contain|contains? (?:milk|nuts?|gluten|soy|egg)|instructions?'
  ),
  uses: [
    words(
      'cotton|wool|merino|linen|silk|leather|suede|denim|polyester|nylon|oak|walnut|ash|beech|pine|birch|bamboo|' +
        'teak|' +
        'wood|wooden|steel|aluminum|aluminium|brass|copper|iron|titanium|glass|ceramic|stoneware|porcelain|clay|' +
        'marble|' +
        'plastic|silicone|rubber|cork|rattan|wicker|felt|velvet|canvas|paper|concrete|down|fleece|cashmere|enamel|' +
        'recycled|organic|made (?:of|from)|milled|woven|knitted|forged|carved|roasted|brewed|pressed|beans?|cocoa|' +
        'flour|butter|milk|olives?|tomatoes|honey|herbs|spices|formula|alloy|jersey|twill|corduroy|terracotta|resin'
    ),
    MEASURE,
    words(
      'for|use|used|uses|ideal|everyday|travel|work|office|kitchen|garden|outdoor|indoors?|home|bedroom|' +
        'living room|' +
        'bath(?:room)?|desk|hiking|camping|running|cycling|cooking|baking|breakfast|dinner|party|commut\\p{L}+|gym|' +
        'yoga|sleep|walks?|holidays?|winter|summer|rain|evenings?|mornings?|dishwasher|oven|bag|pocket|trails?'
    ),
    words(
      'so that|keeps?|easy|easily|quick|quickly|fast|quiet|light|lightweight|soft|warm|cool|comfort(?:able|ably)?|' +
        'durable|sturdy|stable|waterproof|water-resistant|washable|breathable|adjustable|foldable|folds?|stackable|' +
        'replaceable|rechargeable|energy|saves?|protects?|prevents?|without|stays?|lasts?|long-lasting|resists?|' +
        'non-?slip|non-?stick|cordless|wireless|compact|fits?|lets?|holds?|dries|smooth|rich|fresh|crisp|crunchy|' +
        'creamy|sweet|mild|spicy|aroma|taste|flavou?r|notes?'
    ),
    words(
      'men|women|kids?|children|child|baby|babies|toddlers?|adults?|beginners?|professionals?|students?|families|' +
        'family|runners?|cyclists?|hikers?|cooks?|bakers?|gamers?|readers?|travell?ers?|dogs?|cats?|pets?|owners?|' +
        "men's|women's|kids'|artists?|photographers?|gardeners?|musicians?|vegans?|vegetarians?|hosts?"
    )
  ],
  dangling: words(
    // Words that need the `for`, `with` or `that` after them.
    'suitable|perfect|ideal|designed|made|used|known|great|best|good|ready|look|looking|need|needs|stands|built|' +
      'famous|crafted|allow|allows|except|way|ensures?|means?|knows?|shows?|proves?|says?|feels?|essential|' +
      'important|' +
      'responsible|made-to-measure|right|comes?|equipped|compatible|filled|packed|combined|paired|topped|works?|' +
      'pairs?|goes|finished|covered|lined|fitted|together|along|mixed|blended|infused|enriched|seasoned|decorated|' +
      'loaded|provided|supplied|complete|coated|reinforced|deals?|pieces?|sets?|types?|kinds?|choice|option|' +
      'solution|' +
      'tool|accessory|everything|anything|all|enough|even|just|both|each|every|then|still|often|always|never|' +
      `a|an|the|of|with|and|or|for|to|in|on|at|by|from|as|but|so|that|which|its|your|our|their|is|are|be|than|into|` +
      `this|these|if|when|while|because|very|more|most|such|not|only|also|without|between|both|has|have|up to`
  ),
  and: ' and ',
  colon: ': ',
  separator: ', ',
  lowersAfterColon: false,
  describe
}

function describe({ name, brand, color, material, measures, category }: Facts): string[] {
  const details = [
    color === '' ? '' : `in ${color}`,
    material === '' ? '' : `made of ${material}`,
    ...measures.map(measure)
  ]
  const named = brand === '' ? name : `${name} by ${brand}`
  const texts = shorterAndShorter(named, details, (text, [first, ...rest]) =>
    [`${text}${first!.startsWith('in ') ? ' ' : ', '}${first}`, ...rest].join(', ')
  )
  if (category !== '') texts.push(`${named} in the category ${category}`)
  return named === name ? texts : [...texts, named]
}

function measure({ kind, value }: Measure): string {
  const adjectives: Partial<Record<Measure['kind'], string>> = {
    width: 'wide',
    height: 'high',
    length: 'long',
    depth: 'deep',
    diameter: 'across'
  }
  if (kind === 'size') return /\p{L}{3}|\p{N}\s?\p{L}/u.test(value) ? value : `size ${value}`
  return adjectives[kind] === undefined ? value : `${value} ${adjectives[kind]}`
}
