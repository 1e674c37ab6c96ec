import { isWide } from '../../lib/text.ts'
import type { ProductRecord, SeoValues } from '../../ports/store/port.ts'
import type { QualityCode } from '../../schemas/product.ts'
import { descriptionLengths } from './rules/meta-descriptions.ts'
import { plainLine } from './rules/plain-text.ts'
import type { ResolvedText } from './unique-texts.ts'

/** A source with fewer characters says too little for a description. Wide characters count twice. */
export const MIN_SOURCE_CHARACTERS = 70

const PLACEHOLDER = new RegExp(
  [
    'lorem ipsum|dolor sit amet',
    '(?:^|\\s)(?:todo|tbd|tba|n/a)(?:$|[\\s.:])',
    '(?:placeholder|dummy|sample|default) (?:text|description|product)',
    '(?:description|text) goes here|your (?:text|description) here',
    '^(?:test|asdf\\w*|xxx+|foo|bar)$'
  ].join('|'),
  'i'
)

/**
 * The problems of what a product says, from which its texts are made. Converts the description, unless it was just
 * converted.
 */
export function sourceProblems({ title, description }: Pick<ProductRecord, 'title' | 'description'>): QualityCode[] {
  const source = plainLine(description ?? '')
  const length = isWide(source) ? source.length * 2 : source.length
  return selectCodes({
    lorem: PLACEHOLDER.test(source) || PLACEHOLDER.test(plainLine(title)),
    thin: length < MIN_SOURCE_CHARACTERS
  })
}

/** The problems of a product's texts, with those of their sources, sorted. */
export function qualityOf(
  ofSource: readonly QualityCode[],
  { seo, resolved }: { seo: SeoValues; resolved: ResolvedText[] }
): QualityCode[] {
  const meta = seo.metaDescription?.value ?? ''
  const ofTexts = selectCodes({
    duplicate: resolved.some(({ isDuplicate }) => isDuplicate),
    too_short: meta.length < descriptionLengths(meta).min
  })
  return [...ofSource, ...ofTexts].sort()
}

const selectCodes = (codes: Partial<Record<QualityCode, boolean>>): QualityCode[] =>
  (Object.keys(codes) as QualityCode[]).filter((code) => codes[code])
