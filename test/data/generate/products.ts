import { createChoices, SEED } from '../seed.ts'

/** A product row as a back office sends it. */
export interface GeneratedProduct {
  id: number
  title: string
  description: string
  category: string
  price: number
  tags: string[]
  brand?: string
  sku: string
  dimensions: { width: number }
  images: string[]
  thumbnail: string
  availabilityStatus: string
  meta: { barcode: string }
}

const KINDS: Readonly<Record<string, { names: string; traits: string; uses: string }>> = {
  kitchen: {
    names: 'Saucepan|Chopping Board|Stock Pot|Whisk|Mixing Bowl|Bread Knife|Colander|Pepper Mill|Casserole Dish',
    traits: 'oak|cast iron|stainless steel|enamel|beech|nonstick',
    uses: 'family meals|slow stews|everyday cooking|baking with children'
  },
  furniture: {
    names: 'Writing Desk|Bookcase|Dining Table|Footstool|Armchair|Bedside Table|Coat Stand|Sideboard',
    traits: 'walnut|ash|rattan|linen|velvet|powder-coated',
    uses: 'small flats|the reading corner|a long hallway|the home office'
  },
  outdoors: {
    names: 'Rucksack|Tent|Sleeping Bag|Trekking Pole|Lantern|Water Bottle|Rain Jacket|Camping Stove',
    traits: 'waterproof|ripstop|titanium|lightweight|insulated|recycled',
    uses: 'long weekends|winter walks|first camping trips|bikepacking'
  },
  stationery: {
    names: 'Fountain Pen|Notebook|Desk Lamp|Pencil Case|Letter Opener|Ink Bottle|Planner|Sketch Pad',
    traits: 'brass|hardcover|leather|dotted|refillable|archival',
    uses: 'daily notes|field sketches|exam weeks|letters home'
  },
  audio: {
    names: 'Headphones|Bookshelf Speaker|Turntable|Microphone|Soundbar|Portable Radio|Amplifier',
    traits: 'wireless|closed-back|walnut-cased|USB-C|noise-cancelling|compact',
    uses: 'small rooms|commuting|podcast recording|late listening'
  },
  garden: {
    names: 'Pruning Saw|Watering Can|Plant Pot|Trellis|Hand Fork|Wheelbarrow|Bird Feeder|Garden Bench',
    traits: 'galvanized|terracotta|cedar|carbon steel|frost-proof|foldable',
    uses: 'balcony gardens|raised beds|old orchards|herb borders'
  }
}
const BRANDS = ['Northfold', 'Quarry & Pine', 'Lumen Works', 'Tidewater', 'Hallmere', 'Oststern']
const COLORS = ['black', 'sage green', 'off-white', 'navy', 'copper', 'natural']
const PRAISE = [
  'built to be repaired',
  'easy to clean',
  'comes with spare parts',
  'tested for ten years of use',
  'ships without plastic'
]

/** Products of six kinds with a title, a description of two to five sentences and the usual fields. */
export function generateProducts(count: number, seed: number = SEED): GeneratedProduct[] {
  const { chance, index, pick, sample } = createChoices('products', seed)
  const categories = Object.keys(KINDS)
  return Array.from({ length: count }, (_, at) => {
    const category = pick(categories)
    const kind = KINDS[category]!
    const name = pick(kind.names.split('|'))
    const [trait, other] = sample(kind.traits.split('|'), 2)
    const color = pick(COLORS)
    const brand = chance(0.7) ? pick(BRANDS) : undefined
    const width = 5 + index(180)
    const sentences = [
      `The ${brand === undefined ? '' : `${brand} `}${name} in ${color} is made for ${pick(kind.uses.split('|'))}.`,
      `Its ${trait} body is ${pick(PRAISE)} and measures ${width} cm across.`,
      `A ${other} finish keeps the ${name.toLowerCase()} looking new.`,
      `It is ${pick(PRAISE)}, and each ${name.toLowerCase()} is checked by hand before it leaves the workshop.`,
      'The box holds everything you need for the first day.'
    ]
    const titleBrand = chance(0.5) && brand !== undefined ? `${brand} ` : ''
    const title = `${titleBrand}${capitalize(trait!)} ${name} ${capitalize(color)} ${at + 1}`
    const picture = (n: number) => `https://images.example.com/products/${at + 1}/${n}.webp`
    return {
      id: at + 1,
      title,
      description: sentences.slice(0, 2 + index(4)).join(' '),
      category,
      price: (500 + index(90_000)) / 100,
      tags: [category, name.toLowerCase()],
      ...(brand === undefined ? {} : { brand }),
      sku: `${category.slice(0, 3).toUpperCase()}-${String(at + 1).padStart(4, '0')}`,
      dimensions: { width },
      images: Array.from({ length: 1 + index(3) }, (_image, n) => picture(n + 1)),
      thumbnail: picture(0),
      availabilityStatus: chance(0.1) ? 'Out of Stock' : 'In Stock',
      meta: { barcode: ean13(`20${String(at + 1).padStart(10, '0')}`) }
    }
  })
}

/** Twelve digits with the check digit of GS1 at the end. */
function ean13(digits: string): string {
  const sum = Array.from(digits, (digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 3)).reduce((a, b) => a + b, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
