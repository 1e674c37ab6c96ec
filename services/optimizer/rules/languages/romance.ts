import { beginning, between, COOKIE_NOTICES, NEVER, words, type Grammar } from './grammar.ts'
import { describeWith, MEASURE } from './phrases.ts'

export const french: Grammar = {
  verbs: words(
    'est|sont|a|ont|était|peut|peuvent|offre|offrent|permet|permettent|assure|assurent|garde|gardent|protège|' +
      'protègent|' +
      'se|convient|conviennent|apporte|apportent|donne|donnent|tient|tiennent|contient|contiennent|possède|' +
      'possèdent|' +
      'mesure|mesurent|pèse|pèsent|dispose|disposent|comprend|comprennent|accueille|accueillent|sèche|sèchent|lave|' +
      'lavent|reste|restent|fait|font|met|mettent|évite|évitent|suffit|résiste|résistent|révèle|révèlent|séduit|' +
      'accompagne|accompagnent|glisse|glissent|passe|passent|facilite|facilitent|réunit|réunissent|diffuse|' +
      'diffusent|' +
      'sert|servent|supporte|supportent|réchauffe|enveloppe|provient|viennent|vient|pousse|mijote|cuit|coupe|' +
      'coupent|' +
      "s'adapte|s'adaptent|s'utilise|s'utilisent|s'ouvre|s'installe|s'accorde|n'a|n'est|c'est"
  ),
  droppable: beginning(
    'qui|que|dont|où|ce qui|pour|afin|parce que|car|mais|tandis que|alors que|lorsque|quand|si|grâce|avec|sans|' +
      'idéale?s?|' +
      'parfaite?s?|et (?:il|elle|ils|elles|le|la|les|son|sa|ses|se|est|a|permet|offre|reste)|ainsi que|même|' +
      'tout en|' +
      'notamment|surtout|tel(?:le)?s? que|comme|à|en|de quoi|puis|auquel|auxquels|à laquelle'
  ),
  joints: between('afin que|afin de|tandis que|parce que|grâce à|tout en|même si'),
  modifiers: /(?!)/gu,
  predicates: NEVER,
  bound: words('non seulement|soit|ni|entre|à la fois|aussi bien'),
  opener: beginning(
    'avec|sans|pour|si|quand|lorsque|dans|en|sur|au|aux|à|de|depuis|grâce|par|après|avant|fabriquée?s?|conçue?s?|' +
      "inspirée?s?|idéale?s?|parfaite?s?|réalisée?s?|comme|que|dès|d'"
  ),
  dependent: beginning(
    "il|elle|ils|elles|ce|cet|cette|ces|cela|ceci|c'est|son|sa|ses|leur|leurs|de plus|en plus|en outre|aussi|ainsi|" +
      'également|mais|et|ou|donc|or|car|puis|ensuite|toutefois|cependant|pourtant|par ailleurs|enfin|' +
      'grâce à (?:lui|elle)|' +
      'celui-ci|celle-ci|ceux-ci|on y|y|tous deux|là'
  ),
  demonstrative: beginning('ce|cet|cette|ces'),
  innerPronoun: NEVER,
  reference: beginning('il|elle|ils|elles|son|sa|ses|leur|leurs'),
  pronoun: NEVER,
  service: words(
    'taille (?:grand|petit|normalement)|non (?:fournie?s?|incluse?s?|comprise?s?)|vendue?s? séparément|' +
      'livraison|livrée? (?:sous|en)|expédi\\p{L}+|frais de port|retours?|remboursé\\p{L}*|ajoute[rz] au panier|' +
      'commandez|achetez|profitez|cliquez|newsletter|contactez|veuillez|attention|remarque|à noter|' +
      'les couleurs (?:peuvent|sont)|photos? non|photos?|visuels?|guide des tailles|en stock|rupture|' +
      'promo\\p{L}*|remise|' +
      'réduction|soldes|service client|cgv|conditions générales|' +
      `${COOKIE_NOTICES}|` +
      'réf(?:érence)?\\.?|code article|sku|' +
      'ean|gtin|' +
      'garantie?|tous droits réservés|en savoir plus|lire la suite|le mannequin|ne convient pas aux enfants|' +
      'paiement|' +
      'lorem ipsum|dolor sit amet|avis|incontournable|craquez'
  ),
  instruction: beginning(
    'ne (?:pas|jamais)|attention|avertissement|l[’\u0027]abus d[’\u0027]alcool|' +
      'appliquer|appliquez|agiter|laver|lavez|conserver|conservez|' +
      'à (?:conserver|consommer|utiliser)|toujours|évitez|éviter|vérifiez|lire|lisez|utiliser|tenir|rincer'
  ),
  company: words('nous|notre|nos|fondée?|depuis (?:18|19|20)\\d\\d|entreprise|maison fondée'),
  vague: words(
    'indispensable|toutes les occasions|haute qualité|qualité supérieure|incroyable|unique en son genre|' +
      'cadeau idéal|vous allez adorer|best-seller'
  ),
  care: words(
    'lavage|laver (?:à|en)|ne pas|repasser|sèche-linge|conserver|ingrédients|peut contenir|agiter|mode d’emploi'
  ),
  uses: [
    words(
      'coton|laine|lin|soie|cuir|chêne|hêtre|noyer|frêne|bois|acier|inox|verre|céramique|porcelaine|grès|laiton|' +
        'cuivre|' +
        'fonte|aluminium|plastique|silicone|liège|feutre|velours|bambou|marbre|terre|grains?|farine|beurre|' +
        'cacao|miel|' +
        'olives?|herbes|tissée?s?|fabriquée?s?|torréfiée?s?|bio'
    ),
    MEASURE,
    words(
      'pour|idéale?s?|quotidien|voyages?|travail|bureau|cuisine|jardin|extérieur|maison|chambre|salon|bain|' +
        'randonnée|' +
        'camping|course|vélo|petit-déjeuner|dîner|hiver|été|pluie|four|lave-vaisselle|sac|balcon|apéritif'
    ),
    words(
      'légère?s?|douce?s?|doux|chaude?s?|confortables?|robustes?|solides?|stables?|imperméables?|lavables?|' +
        'respirante?s?|' +
        'réglables?|pliables?|empilables?|garde|protège|sans|vite|rapidement|facile(?:ment|s)?|silencieu\\p{L}+|' +
        'durables?|' +
        'antidérapante?s?|compacte?s?|reste|sèche|frais|fraîche|fruitée?s?|crémeu\\p{L}+|arômes?|goût|saveurs?'
    ),
    words(
      'femmes?|hommes?|enfants?|bébés?|familles?|débutants?|professionnels?|coureurs?|chiens?|chats?|personnes?|' +
        'amateurs?'
    )
  ],
  dangling: words(
    'le|la|les|un|une|des|du|de|et|ou|avec|pour|en|dans|sur|au|aux|à|par|que|qui|son|sa|ses|ce|cette|plus|très|' +
      'ne|pas|' +
      'est|sont|sans|comme'
  ),
  and: ' et ',
  colon: ' : ',
  separator: ', ',
  lowersAfterColon: true,
  describe: describeWith({
    by: 'de la marque',
    color: 'coloris',
    material: 'en',
    category: 'dans la catégorie',
    measures: {
      size: (value) => `taille ${value}`,
      width: (value) => `largeur ${value}`,
      height: (value) => `hauteur ${value}`,
      length: (value) => `longueur ${value}`,
      depth: (value) => `profondeur ${value}`,
      diameter: (value) => `diamètre ${value}`
    }
  })
}

export const spanish: Grammar = {
  verbs: words(
    'es|son|era|está|están|tiene|tienen|puede|pueden|ofrece|ofrecen|permite|permiten|mantiene|mantienen|protege|' +
      'protegen|se|aporta|aportan|da|dan|contiene|contienen|incluye|incluyen|mide|miden|pesa|pesan|cuenta|cuentan|' +
      'dispone|seca|secan|lava|lavan|queda|quedan|hace|hacen|evita|evitan|resiste|resisten|combina|combinan|' +
      'cabe|caben|' +
      'sirve|sirven|garantiza|acompaña|acompañan|ayuda|ayudan|deja|dejan|procede|proceden|nace|cocina|corta|cortan|' +
      'abriga|abrigan|aguanta|aguantan|llega|llegan|viene|vienen|funciona|funcionan|destaca|destacan|conserva|' +
      'dura|duran'
  ),
  droppable: beginning(
    'que|quien|cuyo|cuya|donde|lo que|para|porque|pero|mientras|cuando|si|gracias|con|sin|ideal(?:es)?|' +
      'perfect[oa]s?|' +
      'y (?:el|la|los|las|su|sus|se|es|son|tiene|permite|ofrece|queda|además)|así como|incluso|además|sobre todo|' +
      'especialmente|como|de modo que|por lo que|ya que|aunque|a la vez que|en|al que|en el que|en la que'
  ),
  joints: between('para que|mientras|porque|gracias a|aunque|de modo que|ya que'),
  modifiers: /(?!)/gu,
  predicates: NEVER,
  bound: words('no solo|no sólo|tanto|ni|entre|ya sea'),
  opener: beginning(
    'con|sin|para|si|cuando|en|sobre|al|a|de|desde|gracias|por|tras|antes|fabricad[oa]s?|hech[oa]s?|diseñad[oa]s?|' +
      'inspirad[oa]s?|ideal(?:es)?|perfect[oa]s?|elaborad[oa]s?|como|que|aunque|mientras'
  ),
  dependent: beginning(
    'él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|esto|eso|su|sus|además|también|así|pero|y|e|o|u|por eso|' +
      'por lo tanto|por tanto|luego|después|sin embargo|no obstante|asimismo|igualmente|finalmente|por último|' +
      'ambos|' +
      'ambas|aquel|aquella|allí|con (?:él|ella|ello)|lo|la (?:misma)|incluso'
  ),
  demonstrative: beginning('est[ea]|est[oa]s|es[ea]|es[oa]s'),
  innerPronoun: NEVER,
  reference: beginning('su|sus'),
  pronoun: NEVER,
  service: words(
    'talla (?:grande|pequeño)|no (?:está |están )?(?:incluid[oa]s?|incluye)|por separado|' +
      'envíos?|entrega(?:mos)?|gastos de envío|devoluci\\p{L}+|reembols\\p{L}+|añad(?:e|ir|a) (?:al carrito|' +
      'a la cesta)|' +
      'compra (?:ya|ahora|hoy)|cómpral[oa]|pídel[oa]|haz clic|clic|newsletter|boletín|contáctan\\p{L}*|' +
      'por favor|nota|' +
      'atención|aviso|los colores (?:pueden|son)|fotos?|imágenes|imagen|guía de tallas|en stock|agotado|oferta|' +
      'descuento|rebajas?|promoci\\p{L}+|atención al cliente|términos y condiciones|' +
      `${COOKIE_NOTICES}|` +
      '' +
      'ref(?:erencia)?\\.?|código|' +
      'sku|ean|gtin|garantía|todos los derechos|leer más|saber más|la modelo|el modelo (?:lleva|mide)|' +
      'no apto para|pago|' +
      'lorem ipsum|dolor sit amet|opiniones|valoraciones|imprescindible|no te puede faltar'
  ),
  instruction: beginning(
    'no (?:usar|utilizar|mojar|lavar|exponer|dejar|apto)|nunca|siempre|atención|advertencia|aplicar|aplica|aplique|' +
      'agitar|lavar|conservar|consultar?|consulte|leer|lea|evitar|evite|mantener|mantenga|comprueb[ae]'
  ),
  company: words('nosotros|nuestr[oa]s?|somos|fundad[oa]|desde (?:18|19|20)\\d\\d|empresa'),
  vague: words(
    'cualquier ocasión|alta calidad|máxima calidad|increíble|único en su|regalo perfecto|te encantará|superventas'
  ),
  care: words(
    'lavar (?:a|en)|lavado|no usar|planchar|secadora|conservar|ingredientes|puede contener|agitar|instrucciones'
  ),
  uses: [
    words(
      'algodón|lana|lino|seda|piel|cuero|roble|haya|nogal|fresno|madera|acero|vidrio|cristal|cerámica|porcelana|' +
        'gres|' +
        'latón|cobre|hierro|aluminio|plástico|silicona|corcho|fieltro|terciopelo|bambú|mármol|barro|granos?|harina|' +
        'mantequilla|cacao|miel|aceitunas?|hierbas|tejid[oa]s?|fabricad[oa]s?|tostad[oa]s?|hech[oa]s?|ecológic[oa]s?'
    ),
    MEASURE,
    words(
      'para|ideal|diario|viajes?|trabajo|oficina|cocina|jardín|exterior|casa|dormitorio|salón|baño|senderismo|' +
        'camping|' +
        'correr|bicicleta|desayuno|cena|invierno|verano|lluvia|horno|lavavajillas|bolso|terraza|balcón|aperitivo'
    ),
    words(
      'liger[oa]s?|suaves?|cálid[oa]s?|cómod[oa]s?|resistentes?|sólid[oa]s?|estables?|impermeables?|lavables?|' +
        'transpirables?|ajustables?|plegables?|apilables?|mantiene|protege|sin|rápid[oa]s?|rápidamente|' +
        'fácil(?:es|mente)?|' +
        'silencios[oa]s?|durader[oa]s?|antideslizantes?|compact[oa]s?|seca|fresc[oa]s?|cremos[oa]s?|aromas?|' +
        'sabor(?:es)?'
    ),
    words(
      'mujer(?:es)?|hombres?|niñ[oa]s?|bebés?|familias?|principiantes|profesionales|corredores|perros?|gatos?|' +
        'personas'
    )
  ],
  dangling: words(
    'el|la|los|las|un|una|unos|unas|de|del|y|e|o|con|para|en|sobre|al|a|por|que|su|sus|este|esta|más|muy|no|es|' +
      'son|sin|' +
      'como'
  ),
  and: ' y ',
  colon: ': ',
  separator: ', ',
  lowersAfterColon: true,
  describe: describeWith({
    by: 'de',
    color: 'en color',
    material: 'de',
    category: 'en la categoría',
    measures: {
      size: (value) => `talla ${value}`,
      width: (value) => `${value} de ancho`,
      height: (value) => `${value} de alto`,
      length: (value) => `${value} de largo`,
      depth: (value) => `${value} de fondo`,
      diameter: (value) => `${value} de diámetro`
    }
  })
}
