import { createWriteStream } from 'node:fs'
import { SEO_PLUGINS, SHOP_FORMATS } from '../../schemas/product.ts'
import { accountPath } from './account.ts'
import { stringOption, UsageError, type RunCommand } from './command.ts'

export const exportProducts: RunCommand = async ({ args: [file = ''], options, adminClient, print }) => {
  const query = new URLSearchParams({
    projectId: stringOption(options, 'project', 'default'),
    format: oneOf(SHOP_FORMATS, stringOption(options, 'format', 'shopify'), '--format'),
    seoPlugin: oneOf(SEO_PLUGINS, stringOption(options, 'seo-plugin', 'yoast'), '--seo-plugin')
  })
  const client = await adminClient()
  const path = `${accountPath(stringOption(options, 'account', 'demo'))}/products/export`
  await client.download(`${path}?${query.toString()}`, createWriteStream(file))
  print({ file }, [`Wrote ${file}.`])
  return 0
}

function oneOf(values: readonly string[], value: string, option: string): string {
  if (!values.includes(value)) throw new UsageError(`${option} must be one of ${values.join(', ')}.`)
  return value
}
