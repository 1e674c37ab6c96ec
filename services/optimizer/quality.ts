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

/** The problems of a product's texts, sorted. */
export function qualityOf(
  { title, description }: Pick<ProductRecord, 'title' | 'description'>,
  { seo, resolved }: { seo: SeoValues; resolved: ResolvedText[] }
): QualityCode[] {
  const source = plainLine(description ?? '')
  const meta = seo.metaDescription?.value ?? ''
  const length = isWide(source) ? source.length * 2 : source.length
  const codes: Record<QualityCode, boolean> = {
    duplicate: resolved.some(({ isDuplicate }) => isDuplicate),
    lorem: PLACEHOLDER.test(source) || PLACEHOLDER.test(plainLine(title)),
    thin: length < MIN_SOURCE_CHARACTERS,
    too_short: meta.length < descriptionLengths(meta).min
  }
  return (Object.keys(codes) as QualityCode[]).filter((code) => codes[code])
}
