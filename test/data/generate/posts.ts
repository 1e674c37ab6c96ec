import { createChoices, SEED, type Choices } from '../seed.ts'

export interface GeneratedPost {
  /** Unique, in order of publication. */
  id: string
  title: string
  description: string
  category: string
  /** One or two subjects. */
  tags: string[]
  /** RFC 3339, UTC. */
  publishedAt: string
  markdown: string
  /** The words of the body without its markup. */
  text: string
}

/** Subjects with the words that only their posts use often. */
const SUBJECTS: Readonly<Record<string, string>> = {
  orchards:
    'apple pear rootstock pruning graft blossom scab harvest cider ladder windfall espalier mulch codling quince ' +
    'variety fruit thinning',
  sailing:
    'keel mainsail halyard tide anchor mooring jib tiller reef gale harbor buoy hull rigging spinnaker chart ' +
    'leeward dinghy',
  baking:
    'sourdough starter flour crumb oven crust proofing dough yeast rye kneading loaf banneton hydration steam ' +
    'malt scoring brioche',
  cycling:
    'derailleur chain saddle tire spoke gravel cassette pedal brake headset climb bottom-bracket rim cadence ' +
    'commuter pannier gear valve',
  astronomy:
    'telescope nebula eyepiece planet eclipse comet galaxy aperture meteor constellation mount lunar orbit ' +
    'zenith supernova observatory mirror star',
  pottery:
    'kiln glaze clay wheel bisque slip stoneware porcelain firing cone celadon throwing trimming handle wedging ' +
    'sprig crackle raku',
  beekeeping:
    'hive queen swarm honey brood nectar frame smoker varroa forage comb drone super apiary pollen wax worker nectary',
  printing:
    'letterpress typeface ink platen serif galley composing proof woodcut lino registration paper deckle press ' +
    'folio kerning italic quoin',
  gardening:
    'compost seedling perennial trellis slug cloche bulb hedge border lawn tomato watering fertilizer greenhouse ' +
    'weed annual shrub soil',
  photography:
    'shutter lens exposure tripod darkroom negative aperture-ring film portrait focus bokeh flash developer ' +
    'print contrast filter histogram sensor',
  knitting:
    'needle yarn purl stitch cable gauge sweater sock merino ribbing cast-on lace swatch sleeve heel cowl ' +
    'intarsia skein',
  rail:
    'locomotive gauge-track signal platform timetable carriage junction viaduct freight sleeper boiler conductor ' +
    'points tunnel commuter-line buffer depot brakeman',
  coffee:
    'roast espresso grinder crema filter-paper kettle bean acidity arabica bloom portafilter cupping origin brew ' +
    'extraction milk carafe tamper',
  chess:
    'opening endgame bishop knight gambit pawn castling rook fork blunder rating tournament tactic checkmate ' +
    'zugzwang sacrifice clock file',
  hiking:
    'trail summit boots ridge map compass switchback rucksack scree hut cairn ascent waterproof ration valley ' +
    'glacier blister contour',
  weaving:
    'loom warp weft shuttle heddle selvedge tapestry treadle twill linen reed shed bobbin pattern fringe dye ' +
    'tartan batten',
  cheese:
    'rennet curd whey rind cheddar brine cave affinage culture milk-vat wheel-press mold blue brie cloth ' +
    'ripening goat annatto',
  birding:
    'binoculars warbler nest migration plumage song feeder raptor hide checklist wader owl fledgling roost finch ' +
    'banding heron thrush',
  clocks:
    'escapement pendulum mainspring dial gearwheel chime balance winding jewel pivot movement hairspring ' +
    'regulator case arbor tick strike bezel',
  radio:
    'antenna receiver shortwave modulation transmitter frequency ionosphere oscillator valve-set morse coil ' +
    'bandwidth static tuner dipole ground amplifier carrier'
}
const NAMES = Object.keys(SUBJECTS)
const COMMON = (
  'people morning small first careful simple evening large work place long short useful season reason week month ' +
  'help change ' +
  'start finish keep show learn find better often rarely quiet strong light heavy early late open close plan ' +
  'note choose ' +
  'measure repair clean store carry watch wait prepare compare remember write friend workshop cost price time ' +
  'year day hand'
).split(' ')
const CATEGORIES = ['Guides', 'Stories', 'News', 'Questions']
const TITLES: readonly ((word: string, other: string, subject: string) => string)[] = [
  (word, other) => `How to choose a ${word} without losing the ${other}`,
  (word, other, subject) => `${capital(subject)}: the ${word} and the ${other}`,
  (word, other) => `What the ${word} taught us about every ${other}`,
  (word, other, subject) => `A year of ${subject} with one ${word} and a ${other}`,
  (word, other) => `Seven questions about the ${word} and its ${other}`,
  (word, other) => `${capital(word)} or ${other}? An honest comparison`
]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function sentence(words: () => string, { index }: Choices): string {
  const text = Array.from({ length: 8 + index(9) }, words)
  return `${capital(text.join(' '))}.`
}

/** One block of Markdown and the words in it. */
type Block = (line: () => string, choices: Choices, post: { slug: string }) => string

const BLOCKS: readonly Block[] = [
  (line) => `${line()} ${line()} ${line()}`,
  (line) => `${line()} ${line()} ${line()} ${line()}`,
  (line) => `## ${line()}\n\n${line()} ${line()}`,
  (line) => `### ${line()}\n\n${line()}`,
  (line) => `- ${line()}\n- **${line()}**\n  - ${line()}\n  - ${line()}\n- ${line()}`,
  (line) => `1. ${line()}\n2. ${line()}\n\n   ${line()}\n3. ${line()}`,
  (line) => `> ${line()}\n>\n> ${line()}`,
  (line) => `| ${line()} | Number |\n| :-- | --: |\n| ${line()} | 12 |\n| *${line()}* | 3.5 |`,
  (line) => `\`\`\`js\nconst note = '${line()}'\nconsole.log(note)\n\`\`\`\n\n${line()}`,
  (line, _choices, { slug }) => `![${line()}](https://images.example.com/${slug}.jpg "A photograph")\n\n${line()}`,
  (line, { index }) => `${line()}[^n${index(9)}]\n\n${line()}`,
  (line, _choices, { slug }) => `${line()} [${line()}](https://example.com/${slug}) ${line()}`,
  (line) => `<details><summary>${line()}</summary>\n\n${line()} ${line()}\n\n</details>`,
  (line) => `<p align="center" style="color: red">${line()}</p>\n\n${line()}`,
  (line) => `${line()} <span onclick="alert(1)">${line()}</span> &mdash; ${line()} &copy; 2024`,
  (line) => `${line()} [${line()}]({{ "/about" | url }}) ${line()}`,
  (line) => `---\n\n***${line()}*** and ~~${line()}~~ and \`${line()}\``
]

/**
 * Posts in English on 20 subjects, 20 to 24 words each, with one or two of them as tags and with
 * Markdown of every kind. The same seed gives the same posts.
 */
export function generatePosts(count: number, seed: number = SEED): GeneratedPost[] {
  const choices = createChoices('posts', seed)
  return Array.from({ length: count }, (_, number) => generatePost(number, choices))
}

function generatePost(number: number, choices: Choices): GeneratedPost {
  const { chance, index, pick, sample } = choices
  const tags = sample(NAMES, chance(0.3) ? 2 : 1)
  const own = tags.flatMap((tag) => sample(SUBJECTS[tag]!.split(' '), 5))
  const stray = SUBJECTS[pick(NAMES)]!.split(' ')
  const word = () => {
    const kind = choices.next()
    return kind < 0.3 ? pick(own) : kind < 0.34 ? pick(stray) : pick(COMMON)
  }
  const said: string[] = []
  const line = () => {
    const text = sentence(word, choices)
    said.push(text)
    return text
  }
  const [first, second] = sample(own, 2)
  const title = pick(TITLES)(first!, second!, tags[0]!)
  const slug = `${tags[0]}-${number}`
  const description = line()
  const blocks = Array.from({ length: 4 + index(6) }, () => pick(BLOCKS)(line, choices, { slug }))
  const markdown = [`${line()} ${line()}`, ...blocks, '[^n1]: A note.'].join('\n\n')
  return {
    id: `post-${String(number).padStart(5, '0')}`,
    title,
    description,
    category: pick(CATEGORIES),
    tags,
    publishedAt: new Date(Date.UTC(2018, 0, 1) + number * 31 * 3_600_000).toISOString(),
    markdown,
    text: said.join(' ')
  }
}
