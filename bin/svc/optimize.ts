import { StartError } from '../../errors.ts'
import {
  MAX_PREVIEWED,
  MAX_SAMPLE,
  type OptimizationPreview,
  type ProductSample
} from '../../schemas/optimization-preview.ts'
import { accountPath } from './account.ts'
import type { AdminClient } from './admin-client.ts'
import { stringOption, UsageError, type RunCommand, type OptionValues } from './command.ts'
import { countOf } from './output.ts'

type PreviewedProduct = OptimizationPreview['products'][number]

export const DEFAULT_SAMPLE = 20
const FIELDS = ['metaTitle', 'metaDescription', 'pageTitle'] as const

export const optimize: RunCommand = async ({ options, adminClient, print, log }) => {
  const projectId = stringOption(options, 'project')
  if (projectId === undefined) throw new UsageError('--project is required: the project whose products are optimized.')
  const isDryRun = options['dry-run'] === true
  const misplaced = (isDryRun ? ['force'] : ['sample', 'compare']).find((name) => options[name] !== undefined)
  if (misplaced !== undefined) {
    throw new UsageError(`--${misplaced} cannot be used ${isDryRun ? 'with' : 'without'} --dry-run.`)
  }
  const size = sampleSize(options)
  const client = await adminClient()
  const path = `${accountPath(stringOption(options, 'account', 'demo'))}/products`
  if (!isDryRun) {
    const body = { projectId, force: options.force === true }
    const result = await client.call<{ queued: number }>('POST', `${path}/optimize`, { body })
    print(result, [`${countOf(result.queued, 'product')} queued`])
    return 0
  }
  const query = new URLSearchParams({ projectId, size: String(size) })
  const sample = await client.call<ProductSample>('GET', `${path}/sample?${query.toString()}`)
  const compare = options.compare === true
  const products: PreviewedProduct[] = []
  for (let i = 0; i < sample.externalIds.length; i += MAX_PREVIEWED) {
    const body = { projectId, externalIds: sample.externalIds.slice(i, i + MAX_PREVIEWED), compare }
    products.push(...(await preview(client, `${path}/preview-optimization`, body)))
    if (compare) log(`${products.length} of ${countOf(sample.externalIds.length, 'product')}`)
  }
  const counts = {
    products: products.length,
    totalCount: sample.totalCount,
    ...(compare ? countTexts(products) : {})
  }
  print({ ...counts, sample: products }, [...products.flatMap(describeProduct), describeCounts(counts)])
  return 0
}

function sampleSize(options: OptionValues): number {
  const size = Number(stringOption(options, 'sample', String(DEFAULT_SAMPLE)))
  if (Number.isInteger(size) && size >= 1 && size <= MAX_SAMPLE) return size
  throw new UsageError(`--sample must be a whole number from 1 to ${MAX_SAMPLE}.`)
}

async function preview(
  client: AdminClient,
  path: string,
  body: { compare: boolean; projectId: string; externalIds: string[] }
): Promise<PreviewedProduct[]> {
  const { hasModel, products } = await client.call<OptimizationPreview>('POST', path, { body })
  if (body.compare && !hasModel) {
    throw new StartError(
      'No language model is configured. Set OPTIMIZER_URL, OPTIMIZER_API_KEY and OPTIMIZER_MODEL, or omit --compare.'
    )
  }
  return products
}

/** The number of texts by whether the model wrote them. */
function countTexts(products: PreviewedProduct[]): { modelTexts: number; ruleTexts: number } {
  const texts = products.flatMap(({ model }) => (model === null ? [] : FIELDS.map((field) => model[field])))
  const modelTexts = texts.filter(({ source }) => source === 'llm').length
  return { modelTexts, ruleTexts: texts.filter(({ source }) => source === 'rule').length }
}

function describeProduct({ externalId, title, rules, model, problems }: PreviewedProduct): string[] {
  return [
    `${externalId}  ${title}`,
    ...FIELDS.flatMap((field) => [
      `  ${field}`,
      `    ${rules[field].source === 'human' ? 'manual' : 'rules '}  ${rules[field].value}`,
      ...(model?.[field].source === 'llm' ? [`    model   ${model[field].value}`] : [])
    ]),
    ...problems.map((problem) => `  ! ${problem}`),
    ''
  ]
}

function describeCounts(counts: {
  products: number
  totalCount: number
  modelTexts?: number
  ruleTexts?: number
}): string {
  const { products, totalCount, modelTexts, ruleTexts } = counts
  const texts =
    modelTexts === undefined ? '' : ` The model wrote ${countOf(modelTexts, 'text')}, the rules ${ruleTexts}.`
  return `${products} of ${countOf(totalCount, 'product')}. Nothing was saved.${texts}`
}
