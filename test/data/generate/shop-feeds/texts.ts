/**
 * Kinds of products with the sentences that shops write on them. `|` separates a main clause from a
 * clause that an editor may leave out. `{name}`, `{color}`, `{material}` and `{n}` are filled in.
 */
export interface Kind {
  language: string
  /** The main word of the title, and the full title. */
  word: string
  titles: string[]
  category: string
  materials: string[]
  colors: string[]
  sentences: string[]
  items: string[]
}

const kind = (
  [language, word, titles, category, materials, colors]: [string, string, string, string, string, string],
  sentences: string[],
  items: string
): Kind => ({
  language,
  word,
  titles: titles.split('/'),
  category,
  materials: materials.split('/'),
  colors: colors.split('/'),
  sentences,
  items: items.split('/')
})

const ELECTRONICS: Kind[] = [
  kind(
    [
      'en',
      'headphones',
      'Wireless Headphones/Studio Headphones/Over-Ear Headphones',
      'audio-headphones',
      'aluminum/recycled plastic',
      'black/sand/forest green'
    ],
    [
      'The {name} play for {n} hours on one charge|, so a long-haul flight is no problem',
      'Soft ear cushions in {color} shut out the noise of a busy train|, even at low volume',
      'They fold flat into the case|, which is made of {material}',
      'Two devices can be connected at the same time|, and they switch over when a call comes in',
      'Every cushion, cable and battery can be replaced with a screwdriver',
      'Made for people who mix at home, they sound neutral down to the lowest octave'
    ],
    '{n} h battery life/Bluetooth 5.4 with two connections/replaceable ear cushions/weighs {n}0 g'
  ),
  kind(
    [
      'en',
      'charger',
      'Travel Charger/USB-C Charger/Wall Charger',
      'Electronics > Power > chargers',
      'recycled polycarbonate/aluminum',
      'white/graphite'
    ],
    [
      'This charger powers a laptop and a phone from one socket|, with {n} watts in total',
      'The pins fold in|, so nothing scratches the tablet next to it',
      'It stays cool under full load| because the {material} housing spreads the heat',
      'Three plugs for Europe, Britain and the United States come with it',
      'Smaller than a deck of cards, it fits into the smallest pocket of a backpack'
    ],
    '{n} W output/two USB-C ports/folding pins/{material} housing'
  ),
  kind(
    [
      'en',
      'keyboard',
      'Mechanical Keyboard/Compact Keyboard/Office Keyboard',
      'keyboards',
      'aluminum/walnut/steel',
      'graphite/cream/navy'
    ],
    [
      'A frame of {material} keeps the keyboard steady on the desk|, however hard you type',
      'The quiet switches have {n} grams of resistance|, which suits shared offices',
      'All keys can be assigned freely|, without any software on the computer',
      'The {name} connects by cable or radio|, and one charge lasts {n} weeks',
      'Keycaps in {color} are dyed through and do not wear off'
    ],
    'hot-swappable switches/{material} frame/{n} g actuation force/detachable USB-C cable'
  ),
  kind(
    [
      'en',
      'speaker',
      'Bookshelf Speaker/Portable Speaker/Kitchen Speaker',
      'Audio > speakers',
      'bamboo/oak/recycled plastic',
      'black/rust/stone gray'
    ],
    [
      'The {name} fills a room of {n} square meters| with clear voices and deep bass',
      'Rain and kitchen steam cannot harm it|, because the cabinet of {material} is sealed',
      'Two of them play as a stereo pair|, without a cable between them',
      'Knobs for volume and tone turn with a gentle click|, so you never need your phone',
      'It runs for {n} hours without a socket'
    ],
    'splash-proof {material} cabinet/{n} hours of playback/stereo pairing/analog volume knob'
  ),
  kind(
    [
      'de',
      'Lampe',
      'LED-Schreibtischlampe/Leselampe/Klemmlampe',
      'Beleuchtung > Lampen',
      'Aluminium/Stahl',
      'Schwarz/Weiß/Salbeigrün'
    ],
    [
      'Die Lampe beleuchtet [einen ganzen Schreibtisch/die Werkbank/das Klavier/den Nähplatz/ein halbes Zimmer] [gleichmäßig/weich/taghell/angenehm]|, ohne zu blenden',
      'Der Arm aus {material} lässt sich [stufenlos verstellen/mit einem Finger drehen/bis zur Wand zurückklappen/in drei Achsen bewegen]|, damit das Licht dorthin fällt, wo es gebraucht wird',
      'Sie verbraucht nur {n} Watt und [hält mehr als zwanzig Jahre/wird auch nach Stunden nicht heiß/läuft am Anschluss des Rechners/passt an jede Steckdose im Haus]',
      'Mit [einem Fingertipp/einem Drehknopf/dem Schalter am Kabel/einer Fernbedienung] wechselt die Farbe von [Kerzenlicht zu Tageslicht/Abendrot zu kühlem Weiß/Bernstein zu Mittagssonne]'
    ],
    '{n} Watt/Arm aus {material}/stufenlos dimmbar/austauschbares Leuchtmittel'
  ),
  kind(
    [
      'fr',
      'Enceinte',
      'Enceinte portable/Enceinte de salon/Enceinte nomade',
      'Audio > Enceintes',
      'bambou/aluminium',
      'noir/terracotta'
    ],
    [
      "L'enceinte diffuse [un son équilibré/des basses profondes/des voix claires/une musique ample] dans [une pièce de {n} m²/toute la cuisine/le jardin entier/un grand salon]|, même à faible volume",
      "Son coffret en {material} résiste [à la pluie/au sable/aux chocs/à la vapeur]|, ce qui permet de l'emporter [au jardin/à la plage/en camping/dans la salle de bain]",
      'La batterie tient {n} heures et [se remplace sans outil/se recharge pendant le déjeuner/alimente aussi un téléphone/dure de longues années]',
      '[Deux enceintes identiques forment une paire stéréo/Les boutons se règlent avec des gants/Une poignée en cuir facilite le transport/Le tissu se lave à la main]|, sans aucun [câble/réglage/effort/produit spécial]'
    ],
    '{n} heures d’autonomie/coffret en {material}/batterie remplaçable'
  ),
  kind(
    [
      'ja',
      'イヤホン',
      'ワイヤレスイヤホン/有線イヤホン/軽量イヤホン',
      'オーディオ > イヤホン',
      'アルミ/樹脂',
      '黒/白/緑'
    ],
    [
      'このイヤホンは一回の充電で{n}時間使え、[長い出張でも電池の心配がありません/朝の通勤から夜の映画まで続きます/週に一度の充電で足ります/旅先に充電器を持つ必要がありません]。',
      '{material}の本体はわずか{n}gと軽く、[一日中つけても耳が疲れにくい設計です/眼鏡の上からでも痛くなりません/走っても落ちにくい形です/小さな耳にも合います]。',
      '[雨の日の通勤/朝の散歩/山歩き/台所仕事]や[ジムでの運動/海辺の休日/雪道の通学/庭の手入れ]にも使える防水仕様です。',
      '[低音から高音まで自然に響き/弦の音がやわらかく広がり/ピアノの余韻まで残り]、[映画の台詞もはっきり聞き取れます/電話の声もよく届きます/語学の練習にも役立ちます]。'
    ],
    '防水/連続{n}時間再生'
  )
]

const FASHION: Kind[] = [
  kind(
    [
      'en',
      'sweater',
      'Merino Sweater/Cable-Knit Sweater/Crew Neck Sweater',
      'womens-tops',
      'merino wool/lambswool/organic cotton',
      'navy/oatmeal/rust'
    ],
    [
      'The {name} is knitted from {material}|, so it keeps you warm without bulk',
      'It fits under a jacket and looks neat enough for the office',
      'Ribbed cuffs in {color} stay in place|, no matter how often you push them up',
      'The yarn comes from a mill in the north of Italy|, where it is dyed without chlorine',
      'Moths and smells have little chance|, because the wool airs out overnight',
      'Cut straight with a slightly dropped shoulder, it suits men and women'
    ],
    '100% {material}/ribbed cuffs and hem/knitted in one piece/machine washable at 30 °C'
  ),
  kind(
    [
      'en',
      'jacket',
      'Rain Jacket/Commuter Jacket/Hooded Jacket',
      'Clothing > mens_outerwear',
      'recycled polyester/waxed cotton/nylon',
      'olive/black/mustard'
    ],
    [
      'This jacket keeps out {n} hours of steady rain|, while the open weave lets moisture escape',
      'The hood adjusts with one hand|, even with gloves on',
      'A shell of {material} packs down into its own chest pocket',
      'Reflective seams make cyclists visible from {n}0 meters',
      'The {name} in {color} has four pockets|, two of which close with zips'
    ],
    'taped seams/{material} shell/packs into its own pocket/two-way zip'
  ),
  kind(
    [
      'en',
      'boots',
      'Chelsea Boots/Hiking Boots/Winter Boots',
      'shoes-boots',
      'full-grain leather/suede/nubuck',
      'brown/black/tan'
    ],
    [
      'The {name} are made of {material}| that softens after a few days',
      'Their rubber soles grip wet cobblestones and forest paths alike',
      'A cobbler can resole them|, so they last for many winters',
      'The felt lining keeps feet warm down to minus {n} degrees',
      'They slip on without laces|, which children and commuters appreciate'
    ],
    '{material} upper/resolable rubber sole/felt lining/width G'
  ),
  kind(
    [
      'en',
      'backpack',
      'Canvas Backpack/Roll-Top Backpack/Day Backpack',
      'bags-backpacks',
      'waxed canvas/recycled nylon/cordura',
      'slate/olive/brick red'
    ],
    [
      'The {name} carries {n} liters and still fits under an airplane seat',
      'A padded sleeve protects a 15-inch laptop|, and the flap closes without a zip',
      'Its {material} shrugs off rain and dries in a few hours',
      'Wide straps spread the weight|, so that a full day of books does not hurt the shoulders',
      'Made for students and commuters who ride a bike to class'
    ],
    '{n} liter volume/padded laptop sleeve/water-resistant {material}/hidden back pocket'
  ),
  kind(
    [
      'de',
      'Mütze',
      'Wollmütze/Strickmütze/Fischermütze',
      'Mode > Accessoires > Mützen',
      'Merinowolle/Bio-Baumwolle',
      'Dunkelblau/Senf/Grau'
    ],
    [
      'Die Mütze aus {material} [wärmt auch bei Wind/hält nassen Schnee ab/trocknet über Nacht/bleibt nach vielen Wäschen weich] und [kratzt nicht/sitzt unter jedem Helm/passt zu jedem Mantel]',
      'Sie passt sich [jeder Kopfgröße/auch dichtem Haar/kleinen und großen Köpfen] an|, weil [das Garn sehr elastisch ist/der Bund doppelt gelegt ist/die Maschen versetzt laufen]',
      '[In der Jackentasche/Im Rucksack/Im Handschuhfach/In der Handtasche] braucht sie kaum Platz [und wiegt nur {n} Gramm/und knittert nicht/und ist schnell zur Hand]',
      'Gestrickt wird sie [in einem Stück/auf alten Maschinen/in einer Werkstatt im Harz/von Hand]|, damit [keine Naht drückt/die Form lange bleibt/kein Faden übersteht]'
    ],
    'aus {material}/nahtlos gestrickt/für Damen und Herren'
  ),
  kind(
    [
      'es',
      'Camisa',
      'Camisa de lino/Camisa de manga larga/Camisa oxford',
      'Ropa > Camisas',
      'lino/algodón orgánico',
      'blanco/azul/verde'
    ],
    [
      'La camisa está hecha de {material}[| que se seca en pocas horas/ peinado y teñido en hilo/ tejido en telares antiguos/ de fibra muy larga]',
      'Mantiene la piel fresca [en los días de más calor/durante un viaje largo/en una fiesta de verano/en la oficina]|, incluso con [chaqueta/corbata/mochila]',
      'El cuello conserva su forma [después de muchos lavados/sin ballenas de plástico/con corbata y sin ella] y [no necesita plancha/resiste el sol/no amarillea]',
      '[Los botones de nácar/Los ojales bordados/Las costuras dobles/Los puños anchos] se cosen a mano en [Oporto/un taller de Galicia/Alicante/un pueblo de Cádiz]'
    ],
    '100 % {material}/botones de nácar/corte recto'
  ),
  kind(
    ['ar', 'قميص', 'قميص صيفي/قميص رسمي/قميص كتان', 'ملابس > قمصان', 'القطن/الكتان', 'الأبيض/الأزرق'],
    [
      'هذا القميص مصنوع من {material} الناعم [الذي يبقي الجسم باردا في أيام الصيف/الذي لا يتجعد بعد الغسيل/الذي يزداد نعومة مع الوقت/الذي يسمح بمرور الهواء].',
      '[يجف بسرعة بعد الغسيل/يحافظ على لونه سنوات طويلة/يقاوم البقع الصغيرة] و[لا يحتاج إلى كي في معظم الأحيان/يناسب كل المقاسات/يبقى أنيقا طوال اليوم].',
      '[قصته المستقيمة/ياقته العريضة/أكمامه الطويلة] مناسبة [للعمل وللسفر/للمناسبات العائلية/لأمسيات الصيف/للرحلات القصيرة].',
      '[الأزرار/العراوي/الحواف] مصنوعة من [الصدف الطبيعي/الخيط القوي/القطن المتين] ومخيطة [يدويا في حلب/بعناية في القاهرة/في مشغل صغير].'
    ],
    'قماش ناعم/سهل الغسيل'
  )
]

const FOOD: Kind[] = [
  kind(
    [
      'en',
      'coffee',
      'Espresso Coffee/Filter Coffee/Breakfast Coffee',
      'groceries',
      'arabica beans/washed beans',
      'dark/medium/light'
    ],
    [
      'The {name} tastes of cocoa and roasted hazelnut|, with a long and mild finish',
      'It is roasted in small batches of {n} kilos| and rests for a week before it is packed',
      'Growers on a hillside cooperative pick the {material} by hand',
      'A {color} roast makes it forgiving in any machine|, even with hard water',
      'Best for milk drinks and slow mornings'
    ],
    '{n}0 g bag/{color} roast/{material}/notes of cocoa and hazelnut'
  ),
  kind(
    [
      'en',
      'honey',
      'Blossom Honey/Forest Honey/Lime Tree Honey',
      'food-spreads',
      'spring blossom/lime blossom/pine',
      'golden/amber'
    ],
    [
      'This honey is cold-pressed and never heated above {n} degrees|, so all of its aroma stays in the jar',
      'The bees collect it from {material} in the hills',
      'Its {color} color darkens over the months|, which is a sign of quality',
      'It melts on warm bread, sweetens tea and rounds off a salad dressing',
      'A beekeeper family fills {n}00 jars a year'
    ],
    'cold-pressed/from {material}/{n}0 g jar/never heated'
  ),
  kind(
    [
      'en',
      'pasta',
      'Spelt Pasta/Bronze-Cut Pasta/Egg Pasta',
      'Pantry > dry_goods',
      'spelt/durum wheat/chickpea flour',
      'pale/golden'
    ],
    [
      'The {name} is made of {material} and spring water, nothing else',
      'Bronze dies give it a rough surface|, so the sauce clings to every piece',
      'It dries for {n} hours at a low temperature| and keeps its bite',
      'Ready in {n} minutes, it makes a quick dinner for the family',
      'With tomatoes, olives and a handful of herbs, it needs no recipe'
    ],
    'made of {material}/bronze-cut/ready in {n} minutes/dried slowly'
  ),
  kind(
    [
      'en',
      'chocolate',
      'Milk Chocolate/Dark Chocolate/Hazelnut Chocolate',
      'sweets',
      'cocoa beans/cane sugar',
      'dark/light'
    ],
    [
      'The {name} contains {n} percent cocoa and melts slowly',
      'Whole roasted nuts give it crunch|, while a pinch of sea salt rounds off the sweetness',
      'It is stirred for {n} hours|, which makes it smooth without added fat',
      'Small squares break off cleanly|, so it is easy to share',
      'The {material} come from farms that pay fair wages'
    ],
    '{n}% cocoa/whole nuts/no palm oil/fairly traded {material}'
  ),
  kind(
    ['de', 'Brot', 'Roggenbrot/Sauerteigbrot/Dinkelbrot', 'Backwaren > Brot', 'Roggen/Dinkel', 'dunkel/hell'],
    [
      'Das Brot aus {material} reift {n} Stunden und [bleibt eine Woche lang frisch/duftet nach Malz und Nuss/lässt sich gut einfrieren/bekommt eine dunkle Kruste]',
      'Seine Kruste ist [kräftig und knusprig/dünn und rösch/mit Mehl bestäubt]|, während die Krume [saftig/locker/feinporig] bleibt',
      'Es schmeckt [mit Butter und Salz/mit Honig/zu Suppen/mit Räucherfisch] ebenso wie [mit kräftigem Käse/mit Quark und Kräutern/mit Schinken/mit Marmelade]',
      'Gebacken wird es [im Steinofen/über Buchenholz/in der Nacht/zweimal in der Woche]|, ohne [Hefe und ohne Zusatzstoffe/Zucker/künstliche Aromen]'
    ],
    'aus {material}/{n} Stunden gereift/im Steinofen gebacken'
  ),
  kind(
    [
      'fr',
      'Huile',
      "Huile d'olive vierge/Huile d'olive fruitée/Huile de noix",
      'Épicerie > Huiles',
      'olives vertes/olives mûres',
      'verte/dorée'
    ],
    [
      "L'huile est pressée à froid [dans les quatre heures qui suivent la récolte/au moulin du village/par une seule famille/en petites quantités]",
      "Son goût [d'artichaut et d'herbe coupée/de tomate verte/d'amande fraîche/de poivre blanc] accompagne [les salades et le poisson/les pâtes/les fromages frais/un simple pain grillé]|, sans les couvrir",
      'Elle provient [de {n} oliveraies en terrasses/de vergers sans irrigation/de vieux arbres face à la mer/de parcelles en altitude]|, où tout se récolte [à la main/en novembre/au filet]',
      '[Une cuillère suffit/Quelques gouttes suffisent/Un filet suffit] pour parfumer [une soupe ou des légumes grillés/un risotto/un plat de lentilles/une purée]'
    ],
    'pressée à froid/récolte à la main/bouteille de {n} cl'
  ),
  kind(
    ['ja', '緑茶', '有機緑茶/深蒸し緑茶/玄米緑茶', '食品 > お茶', '茶葉/玄米', '緑/金'],
    [
      'この緑茶は[山あいの畑/川沿いの斜面/霧の深い谷/古い茶園]で手摘みした{material}だけを使い、[甘みと香りが豊かです/渋みが少なくまろやかです/後味がすっきりしています]。',
      '[急須/ガラスの器/小さな湯のみ]で{n}秒待つだけで、[毎日の食卓に合うやさしい味になります/鮮やかな色が出ます/豊かな香りが立ちます]。',
      '[冷たい水/氷水/常温の水]でもよく出るので、[夏の水出し/外出先の水筒/寝る前の一杯/子どもの飲み物]にも使えます。',
      '[食後の一杯/朝の一杯/仕事の合間/来客のもてなし]にも、[甘い和菓子/焼き魚/おにぎり/果物]にもよく合います。'
    ],
    '手摘み/{n}g入り'
  )
]

const HOME: Kind[] = [
  kind(
    ['en', 'table', 'Oak Table/Folding Table/Dining Table', 'furniture', 'solid oak/ash/beech', 'natural/white oiled'],
    [
      'The {name} seats {n} people| and comes apart without tools|, so it fits through narrow doors',
      'Its top of {material} is oiled by hand| and can be sanded again',
      'Rounded edges are kind to children and to those who pass by in the dark',
      'The legs adjust to uneven floors|, which old houses often have',
      'Crumbs and coffee wipe off with a damp cloth'
    ],
    'top of {material}/seats {n}/legs come off without tools/oiled by hand'
  ),
  kind(
    [
      'en',
      'mug',
      'Stoneware Mug/Enamel Mug/Tea Mug',
      'kitchen-accessories',
      'stoneware/enamel/porcelain',
      'sage green/off-white/cobalt'
    ],
    [
      'The {name} holds {n} centiliters and sits well in both hands',
      'A potter throws it from {material}|, so no two are quite the same',
      'The {color} glaze survives the dishwasher and the microwave',
      'Its thick wall keeps tea warm|, while the rim is thin enough for coffee',
      'It stacks with all others of the series'
    ],
    'thrown from {material}/{n} cl/dishwasher-safe/stackable'
  ),
  kind(
    [
      'en',
      'blanket',
      'Wool Blanket/Picnic Blanket/Cotton Blanket',
      'home-decoration',
      'lambswool/organic cotton/recycled wool',
      'mustard/charcoal/natural'
    ],
    [
      'The {name} of {material} is light enough for summer evenings and warm enough for winter',
      'It measures {n}0 cm across|, so two people fit under it',
      'Fringes in {color} are knotted by hand',
      'The weave does not pill|, because the yarn is spun from long fibers',
      'It airs out on the balcony and rarely needs a wash'
    ],
    'woven from {material}/{n}0 cm wide/knotted fringes/airs out overnight'
  ),
  kind(
    [
      'en',
      'shelf',
      'Wall Shelf/Ladder Shelf/Corner Shelf',
      'Furniture > storage_units',
      'pine/walnut/powder-coated steel',
      'black/natural/clay'
    ],
    [
      'The {name} carries {n} kilos of books on brackets that nobody sees',
      'Boards of {material} can be moved up and down in steps of {n} cm',
      'It stands in a corner of the kitchen, the office or the bathroom|, wherever space is short',
      'Two people mount it in half an hour|, with screws for every kind of wall',
      'The edges in {color} are sealed against steam'
    ],
    'carries {n} kg/boards of {material}/adjustable in height/hidden brackets'
  ),
  kind(
    ['de', 'Vase', 'Keramikvase/Bodenvase/Glasvase', 'Wohnen > Deko > Vasen', 'Steinzeug/Glas', 'Weiß/Sand/Schiefer'],
    [
      'Die Vase aus {material} steht auch mit [hohen Zweigen/schweren Sonnenblumen/langen Gräsern/einem Strauß Dahlien] sicher',
      'Sie fasst {n} Liter Wasser|, sodass [Schnittblumen lange frisch bleiben/sie nicht kippt/Tulpen gerade stehen/man selten nachfüllt]',
      'Jedes Stück wird [von Hand gedreht/in Form gegossen/am Ofen geprüft] und [zweimal gebrannt/einzeln signiert/matt glasiert/von innen versiegelt]',
      '[Ihr schmaler Hals/Der weite Rand/Die leichte Taille] hält [schon einen einzelnen Stiel/auch schwere Blüten/Trockengräser im Winter/einen ganzen Armvoll Flieder] aufrecht'
    ],
    'aus {material}/{n} Liter/von Hand gedreht'
  ),
  kind(
    [
      'es',
      'Silla',
      'Silla de comedor/Silla plegable/Silla de madera',
      'Muebles > Sillas',
      'roble/haya',
      'natural/negro'
    ],
    [
      'La silla de {material} soporta {n}0 kilos y [no se tambalea/pesa menos que una bicicleta/se apila sin marcas/dura toda una vida]',
      'Se pliega con [una sola mano/un solo gesto/dos dedos]|, de modo que cabe [detrás de una puerta/debajo de la cama/en el maletero/en un armario estrecho]',
      'El asiento [ligeramente curvado/de rejilla/tapizado en lana/de tablas finas] resulta cómodo [durante toda la cena/para leer una tarde entera/en el balcón/en la mesa de estudio]',
      'Sus patas llevan [fieltro/tacos de goma/protectores de corcho] para que [el suelo no se raye/no se oiga en el piso de abajo/el parqué dure más]'
    ],
    'madera de {material}/plegable/asiento curvado'
  ),
  kind(
    [
      'fr',
      'Coussin',
      'Coussin en lin/Coussin de sol/Coussin carré',
      'Maison > Coussins',
      'lin lavé/coton bio',
      'ocre/gris perle'
    ],
    [
      'Le coussin en {material} garde sa forme|, même après [des années de lecture/cent lavages/un été au soleil/les jeux des enfants]',
      'Sa housse se retire [en quelques secondes/grâce à trois boutons/sans fermeture métallique] et [passe en machine/sèche à plat/ne rétrécit pas/se repasse à peine]',
      'Il mesure {n} cm de côté et se glisse [derrière le dos dans un fauteuil/sous la nuque au lit/sur un banc de jardin/contre un mur froid]',
      'Le rembourrage provient de [fibres recyclées/laine de mouton/balles de sarrasin/kapok]|, sans [plumes/colle/traitement]'
    ],
    'housse en {material}/{n} cm de côté/fibres recyclées'
  )
]

export const KINDS: Readonly<Record<string, Kind[]>> = {
  electronics: ELECTRONICS,
  fashion: FASHION,
  food: FOOD,
  home: HOME
}

/**
 * Parts of sentences that fit any product of a feed. With them every product has a text of its own, as
 * in a shop.
 */
export const PARTS: Readonly<
  Record<string, { features: string[]; benefits: string[]; users: string[]; needs: string[] }>
> = {
  electronics: parts(
    'a replaceable battery/a matte metal shell/a braided cable/a physical mute switch/a status light that dims at night/a rubber foot/a two-year supply of spare parts/a screwed case/a paper manual in six languages/an open firmware/a fuse against surges/a magnetic cover/a port for older plugs/a printed circuit diagram/a recessed power button/a leather pull tab/a spare fuse in the lid/a headphone jack on the front/a lid of smoked glass/a socket for a tripod/a carrying strap of felt/a clock that needs no network',
    'it runs through a week of meetings/nothing rattles in a bag/a repair takes ten minutes/the desk stays tidy/it survives a fall from a table/it needs no account/the volume never jumps/guests can use it at once/it works with older computers/it stays silent at night/the picture does not flicker/one cable is enough/updates arrive for ten years/it wakes in a second/the cat cannot chew through it/a child can change the filter/it fits into a coat pocket/voices sound close/no driver is required/it takes up less space than a book/dust stays outside/the warranty card can stay in the box',
    'reporters/podcast hosts/teachers/frequent flyers/night workers/music students/small offices/game nights/radio amateurs/parents',
    'pack in a hurry/share one socket/work in trains/record outdoors/hate blinking lights/move house often/need both hands/type all day'
  ),
  fashion: parts(
    'a double seam/a hidden pocket/a lining of soft viscose/a reinforced elbow/a loop for hanging/a spare button/a gusset for free movement/a raised collar/a two-way zip/a dyed-through yarn/a flat hem/a woven label without scratchy edges/a wide cuff/a removable strap/a button made of corozo/a back panel of mesh/a pleat at the shoulder/a sleeve for a train ticket/a brushed inner side/a band that does not roll up/a cord with wooden ends/a facing of printed cotton',
    'it keeps its shape after many washes/nothing chafes on long walks/it looks neat without ironing/sudden rain does no harm/you can dance in it/it dries overnight in a hotel room/the color does not fade in the sun/a phone fits inside/it layers well in autumn/it lasts more than one season/you hardly feel it/any tailor can repair it/small stains brush off/the wind stays outside/it goes from the office to the opera/snow slides off/it survives a toddler/a belt is not needed/nobody sees the pocket/it folds into its hood/the wool smells of nothing/knees stay dry on the bike',
    'cyclists/city walkers/ferry passengers/teachers/stagehands/gardeners/dog owners/travelers with one bag/waiters/grandparents',
    'leave early/wait at bus stops/change trains often/work with their hands/want few but good things/carry a child/dislike ironing/walk everywhere'
  ),
  food: parts(
    'a short list of ingredients/a harvest from a single valley/a slow drying room/a stone mill from 1911/a cool cellar/a jar that seals again/a pinch of smoked salt/a natural bloom/a coarse grind/a long rest in oak/a second pressing by hand/a thin crust/a light sweetness/a peppery finish/a dusting of flour/a second fermentation/a touch of orange peel/a layer of beeswax/a smoke of beech wood/a rest on fine lees/a paper wrap without glue/a lid that clicks',
    'it suits a quick weekday dinner/children like it too/it goes well with mature cheese/nothing is wasted/a small amount is enough/it stays fresh for weeks/the aroma fills the kitchen/it turns a soup into a meal/it can wait until guests arrive/the taste is never bitter/it brings summer to the table/breakfast tastes of something/it pairs with red wine/you taste the grain/a spoonful sweetens porridge/dessert is ready in minutes/the color comes from nothing else/it crosses the border in a suitcase/leftovers taste better the next day/the crumb stays moist/no sugar is needed/a glass of water is the best company',
    'early risers/home bakers/picnic parties/patient cooks/small households/hikers/tea drinkers/weekend guests/night bakers/grandparents',
    'cook without recipes/bake on Sundays/eat at their desks/share a table/save the best for last/pack a lunch/cook for eight/rarely fry'
  ),
  home: parts(
    'a hand-sanded edge/a felt pad under each foot/a bayonet joint/a removable cover/a brass hinge/a slightly raised rim/a cable outlet at the back/a drawer without handles/a waxed surface/a hook for the broom/a double weave/a drip edge/a carrying handle/a rounded corner/a base of cast iron/a lid that doubles as a tray/a slot for letters/a spout that does not drip/a net for wet things/a wick of cotton/a stitched leather handle/a plate for the wall',
    'it can move with you/the floor stays free of scratches/it takes up little space/a damp cloth is enough/it stands still on old floors/no tool is needed/it fits under a sloping roof/the cat may sleep on it/it ages well/two of them stack/water does not leave rings/the room looks larger/it closes without a sound/crumbs find no gap/sunlight does not bleach it/a move up four flights is easy/books stay upright/the neighbors hear nothing/plants can stand on it/the bed is made in a minute/it dries in the shade of a tree/guests ask where it is from',
    'shared flats/narrow hallways/reading corners/first apartments/large families/home offices/balconies/weekend houses/studios/guest rooms',
    'move every year/cook for many/own a thousand books/share a bathroom/nap after lunch/work at the kitchen table/love bare walls/grow herbs'
  )
}

function parts(features: string, benefits: string, users: string, needs: string) {
  return {
    features: features.split('/'),
    benefits: benefits.split('/'),
    users: users.split('/'),
    needs: needs.split('/')
  }
}

/** A text of less than 70 characters. */
export const THIN_FRAME = 'With {feature} for {user} who {need}'

/** English sentences of these parts. */
export const FRAMES = [
  'On the {name} you find {feature}|, so {benefit}',
  'Every {name} leaves the workshop with {feature} and {feature2}',
  'We added {feature}|, because {benefit}',
  'You will notice {feature} first and {feature2} after a week',
  'People who {need} choose it for {feature}',
  'Look at {feature} before you decide',
  'Thanks to {feature}, {benefit}',
  'With {feature}, it is made for {user}|, who often {need}',
  'It suits {user} and all who {need}',
  'A workshop of {n} people gives the {name} {feature}|, which is rare today',
  'After {n} years of daily use, {benefit}'
]

/** Texts that shops add to every product. None of them may occur in a description. */
export const BOILERPLATE: Readonly<Record<string, string[]>> = {
  en: [
    'Free shipping on orders over 50 dollars!',
    'Please note: colors may vary slightly from the pictures.',
    'Order now and get 10% off with the code HELLO10.',
    'We are a family-run company founded in 1987.',
    'Contact us at hello@shop.example or call +1 555 010 9999.',
    'See our size chart for details.',
    'BUY TODAY!!! LIMITED STOCK!!!',
    'Why not treat yourself?',
    'A must-have for any occasion.'
  ],
  de: [
    'Versandkostenfrei ab 50 Euro!',
    'Jetzt bestellen und sparen.',
    'Farbabweichungen können auftreten.',
    'Ein Muss für jeden Anlass.'
  ],
  fr: ['Livraison offerte dès 50 euros !', 'Commandez vite, stock limité.', 'Les couleurs peuvent varier.'],
  es: ['Envío gratis a partir de 50 euros.', '¡Compra ya!', 'Los colores pueden variar.'],
  ja: ['送料無料でお届けします。', '写真と実物の色味が異なる場合があります。'],
  ar: ['الشحن مجاني للطلبات الكبيرة.', 'اطلب الآن قبل نفاد الكمية.']
}
