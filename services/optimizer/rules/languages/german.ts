import { beginning, between, COOKIE_NOTICES, NEVER, words, type Grammar } from './grammar.ts'
import { describeWith, MEASURE } from './phrases.ts'

export const german: Grammar = {
  verbs: words(
    'ist|sind|war|hat|haben|wird|werden|kann|können|lässt|lassen|bietet|bieten|sorgt|sorgen|macht|machen|hält|' +
      'halten|' +
      'passt|passen|besteht|bestehen|verfügt|verfügen|eignet|eignen|überzeugt|überzeugen|schützt|schützen|bringt|' +
      'bringen|gibt|geben|liegt|liegen|steht|stehen|sitzt|sitzen|trägt|tragen|nimmt|nehmen|wärmt|wärmen|trocknet|' +
      'trocknen|reicht|reichen|kommt|kommen|bleibt|bleiben|schmeckt|schmecken|duftet|duften|wiegt|wiegen|misst|' +
      'messen|fasst|fassen|enthält|enthalten|braucht|brauchen|dient|dienen|fühlt|fühlen|sieht|sehen|öffnet|' +
      'schließt|' +
      'lädt|laden|läuft|laufen|leuchtet|leuchten|spart|sparen|vereint|vereinen|verleiht|verleihen|verbindet|' +
      'verbinden|zeigt|zeigen|ermöglicht|ermöglichen|garantiert|unterstützt|begleitet|begleiten|entsteht|wurde|' +
      'wurden|' +
      'stammt|stammen|reift|gelingt|gelingen|gehört|gehören|findet|finden|isst|klingt|klingen|wäscht|dämpft|' +
      'dämpfen|' +
      'verteilt|speichert|rührt|schneidet|schneiden|mahlt|kocht|backt|bäckt|brüht|filtert|reinigt|pflegt|pflegen'
  ),
  droppable: beginning(
    'der|die|das|dem|den|dessen|deren|damit|sodass|so dass|weil|da|während|wodurch|womit|wobei|wenn|falls|ob|ohne|' +
      'um|perfekt|ideal|obwohl|denn|aber|jedoch|doch|und (?:er|sie|es|der|die|das|dank|ist|sind|hat|lässt|bietet|' +
      'sorgt|hält|passt|eignet|schützt|bleibt|macht|kann)|egal|auch|besonders|sogar|dank|mit|wo|was|' +
      'welche[rsmn]?|in ' +
      '(?:dem|der|denen)|(?:auf|an|aus|bei|mit|unter|über|von|zu|nach|hinter|vor|neben) (?:dem|der|denen)|' +
      '(?:für|durch|in|auf|an|über|ohne) (?:die|den|das)'
  ),
  joints: between('sodass|damit|egal|obwohl'),
  modifiers: /(?!)/gu,
  predicates: NEVER,
  bound: words('nicht nur|sowohl|weder|entweder|zwar|zwischen|ob'),
  opener: beginning(
    'mit|ohne|für|wenn|während|obwohl|weil|in|im|am|an|auf|aus|bei|beim|dank|durch|ob|als|nach|vor|zum|zur|' +
      'gefertigt|' +
      'hergestellt|ideal|perfekt|inspiriert|egal|unter|seit|um|nicht nur|hier|so'
  ),
  dependent: beginning(
    'er|sie|es|sein|seine|seinen|seiner|seinem|ihr|ihre|ihren|ihrer|dieser|diese|dieses|diesen|diesem|dadurch|' +
      'damit|' +
      'dabei|dazu|daher|deshalb|darum|außerdem|zudem|auch|so|aber|und|oder|doch|jedoch|denn|dann|ebenso|ebenfalls|' +
      'darüber hinaus|hierdurch|hinzu|beide|jede[rs]?|das|dies|dort|hier|sogar|weiterhin|zusätzlich|trotzdem|dennoch'
  ),
  demonstrative: beginning('diese[rsnm]?'),
  innerPronoun: NEVER,
  reference: beginning('er|sie|es|sein|seine|seinen|seiner|seinem|ihr|ihre|ihren|ihrer|ihrem'),
  pronoun: NEVER,
  service: words(
    'fällt (?:eher |etwas )?(?:klein|groß|normal)|nicht (?:im lieferumfang )?(?:enthalten|inbegriffen|dabei)|' +
      'versand(?:kostenfrei|kosten|fertig|frei)?|lieferung|lieferzeit|liefern wir|wird geliefert in|rückgabe|' +
      'rücksendung|' +
      'retoure|umtausch|widerruf\\p{L}*|in den warenkorb|jetzt (?:kaufen|bestellen|zugreifen|sichern|entdecken)|' +
      'bestellen sie|kaufen sie|klicken|newsletter|kontaktieren|rufen sie|bitte (?:beachten|lesen|prüfen|' +
      'kontaktieren)|' +
      'hinweis|achtung|farb(?:en|e|abweichungen) (?:können|kann|auf)|abbildung(?:en)?|symbolbild|größentabelle|' +
      'auf lager|vorrätig|solange der vorrat|rabatt|gutschein|aktion|angebot|sonderpreis|bestpreis|kundenservice|' +
      'kundendienst|agb|datenschutz|' +
      `${COOKIE_NOTICES}|` +
      'artikel-?(?:nr|nummer)|art\\.-?nr|best\\.-?nr|bestellnummer|sku|' +
      'ean|gtin|' +
      'modellnummer|garantie|gewährleistung|alle rechte vorbehalten|mehr (?:lesen|erfahren)|model (?:ist|trägt)|' +
      'nicht (?:für|geeignet für) kinder unter|erstickungsgefahr|zahlung|kasse|lorem ipsum|dolor sit amet|' +
      'bewertungen?|ein muss|worauf warten sie'
  ),
  instruction: beginning(
    'bitte|achtung|hinweis|warnung|vorsicht|nie|niemals|nicht|immer|vor (?:dem |der )?(?:ersten )?(?:gebrauch|' +
      'anwendung|wäsche)|kühl|trocken lagern|auftragen|nur für den|stellen sie sicher|verwenden sie|lesen sie'
  ),
  company: words(
    'wir|unser|unsere|unserem|unseren|unserer|uns|gegründet|familienunternehmen|seit (?:18|19|20)\\d\\d|firma'
  ),
  vague: words(
    'jede gelegenheit|jeden anlass|für jeden|hochwertig(?:e|er|es|en|em)?|höchste qualität|beste qualität|' +
      'unglaublich|einzigartig|unverzichtbar|das perfekte geschenk|bestseller|hingucker|begeistert|lieben'
  ),
  care: words(
    'waschen bei|bei \\d+ ?°|handwäsche|nicht (?:bleichen|bügeln)|trockner|bleichen|bügeln|kühl und trocken|' +
      'zutaten|kann spuren|mindestens haltbar|aufbewahren|lagern|gebrauchsanweisung|anleitung|schütteln'
  ),
  uses: [
    words(
      '\\p{L}*(?:baumwolle|wolle|leinen|seide|leder|eiche|buche|kiefer|nussbaum|esche|holz|stahl|edelstahl|glas|' +
        'keramik|' +
        'porzellan|steinzeug|messing|kupfer|eisen|aluminium|kunststoff|silikon|kork|filz|samt|bambus|marmor|ton|' +
        'bohnen|' +
        'mehl|butter|kakao|honig|oliven|kräuter\\p{L}*)|aus|massiv\\p{L}*|gefertigt|gewebt|gestrickt|geröstet'
    ),
    MEASURE,
    words(
      'für|zum|beim|ideal|geeignet|eignet|alltag|reise\\p{L}*|arbeit|büro|küche|garten|draußen|unterwegs|zuhause|' +
        'schlafzimmer|wohnzimmer|bad|wandern|camping|laufen|radfahren|kochen|backen|frühstück|winter|sommer|regen|' +
        'ofen|spülmaschine|tasche|balkon|tisch'
    ),
    words(
      'leicht|weich|warm|bequem|robust|stabil|wasserdicht|wasserabweisend|waschbar|atmungsaktiv|verstellbar|' +
        'faltbar|' +
        'klappbar|stapelbar|hält|schützt|spart|ohne|schnell|einfach|leise|langlebig|rutschfest|kabellos|kompakt|' +
        'bleibt|' +
        'trocknet|sodass|damit|lässt|pflegeleicht|frisch|mild|würzig|cremig|fruchtig|aroma|geschmack'
    ),
    words(
      'damen|herren|kinder|baby|babys|männer|frauen|familien?|anfänger|einsteiger|profis?|läufer|hunde?|katzen?|' +
        'personen'
    )
  ],
  dangling: words(
    'der|die|das|dem|den|des|ein|eine|einen|einem|einer|und|oder|mit|für|aus|in|im|auf|an|zu|zum|zur|von|vom|' +
      'bei|als|' +
      'sehr|auch|nicht|nur|ist|sind|so|wie|um|sowie|bis'
  ),
  and: ' und ',
  colon: ': ',
  separator: ', ',
  lowersAfterColon: false,
  describe: describeWith({
    by: 'von',
    color: 'in',
    material: 'aus',
    category: 'aus der Kategorie',
    measures: {
      size: (value) => `Größe ${value}`,
      width: (value) => `${value} breit`,
      height: (value) => `${value} hoch`,
      length: (value) => `${value} lang`,
      depth: (value) => `${value} tief`,
      diameter: (value) => `Durchmesser ${value}`
    }
  })
}
