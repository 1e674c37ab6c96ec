import { createWriteStream } from 'node:fs'
import { SEO_PLUGINS, SHOP_FORMATS } from '../../schemas/product.ts'
import { accountPath } from './account.ts'
import { stringOption, UsageError, type Command } from './command.ts'

export const exportProducts: Command = {
  usage:
    'export products FILE [--project ID] [--account ACCOUNT] [--format shopify|woocommerce] ' +
    '[--seo-plugin yoast|rank-math]',
  summary: 'Export the texts of products to a CSV file for Shopify or WooCommerce.',
  details: 'The file has one row for each page of the shop. Importing it there changes nothing but the texts.',
  options: {
    project: { type: 'string' },
    account: { type: 'string' },
    format: { type: 'string' },
    'seo-plugin': { type: 'string' }
  },
  async run({ args: [file, ...others], options, adminClient, print }) {
    if (file === undefined || others.length > 0) throw new UsageError('Name one FILE to write.')
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
}

function oneOf(values: readonly string[], value: string, option: string): string {
  if (!values.includes(value)) throw new UsageError(`${option} must be one of ${values.join(', ')}.`)
  return value
}
