import { shorterAndShorter, type Facts, type Measure } from './grammar.ts'

/** The words that a language puts around the facts of a product. */
export interface Phrases {
  by: string
  color: string
  material: string
  category: string
  measures: Partial<Record<Measure['kind'], (value: string) => string>>
}

/** Phrases such as `Table by Alba in black, made of oak`, for languages that build them the same way. */
export const describeWith =
  ({ by, color: inColor, material: madeOf, category: inCategory, measures: formats }: Phrases) =>
  ({ name, brand, color, material, measures, category }: Facts): string[] => {
    const details = [
      color === '' ? '' : `${inColor} ${color}`,
      material === '' ? '' : `${madeOf} ${material}`,
      ...measures.map(({ kind, value }) => formats[kind]?.(value) ?? value)
    ]
    const named = brand === '' ? name : `${name} ${by} ${brand}`
    const texts = shorterAndShorter(named, details, (text, [first, ...rest]) =>
      [`${text} ${first}`, ...rest].join(', ')
    )
    if (category !== '') texts.push(`${named} ${inCategory} ${category}`)
    return named === name ? texts : [...texts, named]
  }

const UNITS = '(?:cm|mm|m|kg|g|ml|cl|l|liter|litres?|litros?|w|watt|mah|gb|tb|hz|zoll|std|stunden|personen|%|x|×)'
/** A number with a unit of measurement. */
export const MEASURE = new RegExp(`\\p{N}\\s?${UNITS}(?!\\p{L})`, 'iu')
