import type { CommandDescription } from '../command.ts'
import { ACCOUNT, PROJECT } from './options.ts'

/** Commands about an account's content. */
export const CONTENT_COMMANDS: Readonly<Record<string, CommandDescription>> = {
  'import products': {
    arguments: ['FILE'],
    summary: 'Import products from a CSV or NDJSON file.',
    details:
      'The file may be gzipped. The columns of CSV files from Shopify, WooCommerce and Google Merchant are detected.',
    options: {
      project: PROJECT,
      account: ACCOUNT,
      map: { value: 'COLUMN:FIELD,…', description: 'The fields of columns that are not detected' },
      failed: { value: 'FILE', description: 'Save the rows that failed, to be fixed and imported again' }
    },
    examples: [
      { command: 'import products catalog.csv --project shop', does: 'All rows of the file' },
      {
        command: 'import products feed.csv --map "Name:title,Cost:price" --failed failed.csv',
        does: 'A file with its own column names'
      }
    ],
    load: async () => (await import('../import/products.ts')).importProducts
  },
  'import blogs': {
    arguments: ['FOLDER'],
    summary: 'Import a folder of Markdown or HTML files with front matter, and their images.',
    details: 'Blogs with existing slugs are updated.',
    options: {
      project: PROJECT,
      account: ACCOUNT,
      verbose: { description: 'Print every warning instead of the kinds of warnings' }
    },
    examples: [{ command: 'import blogs ./posts --project site', does: 'All files of the folder and its subfolders' }],
    load: async () => (await import('../import/blogs.ts')).importBlogs
  },
  optimize: {
    arguments: [],
    summary: 'Optimize the products of a project, or preview their texts.',
    details: 'Calls of --compare count toward OPTIMIZER_CALLS_PER_HOUR.',
    options: {
      project: { value: 'ID', required: true, description: 'The project' },
      account: ACCOUNT,
      force: { description: 'Also optimize products with unchanged inputs' },
      'dry-run': { description: 'Print the texts of a sample and save nothing' },
      sample: { value: 'N', description: 'With --dry-run: the number of products. Default: 20' },
      compare: { description: 'With --dry-run: also ask the language model, and print its texts beside the others' }
    },
    examples: [
      { command: 'optimize --project shop --dry-run --sample 3', does: 'The texts of three products, without saving' },
      { command: 'optimize --project shop --force', does: 'All products again' }
    ],
    load: async () => (await import('../optimize.ts')).optimize
  },
  'export products': {
    arguments: ['FILE'],
    summary: 'Export the texts of products to a CSV file for Shopify or WooCommerce.',
    details: 'The file has one row for each page of the shop. Importing it there changes nothing but the texts.',
    options: {
      project: PROJECT,
      account: ACCOUNT,
      format: {
        value: 'FORMAT',
        values: ['shopify', 'woocommerce'],
        description: 'The shop that imports the file. Default: shopify'
      },
      'seo-plugin': {
        value: 'PLUGIN',
        values: ['yoast', 'rank-math'],
        description: 'The plugin of WooCommerce that has the meta texts. Default: yoast'
      }
    },
    examples: [{ command: 'export products texts.csv --project shop --format woocommerce', does: 'For WooCommerce' }],
    load: async () => (await import('../export-products.ts')).exportProducts
  },
  check: {
    arguments: ['[URL]'],
    summary: 'Compare a published page, or all pages of a site, with their blogs in a browser.',
    details: 'Give a URL with --blog, or --sitemap. Progress goes to standard error.',
    options: {
      blog: { value: 'SLUG', description: 'The blog that the page should show' },
      sitemap: { value: 'URL', description: 'Check all pages of a sitemap whose URL ends with the slug of a blog' },
      project: { value: 'ID', description: 'The project, if several have a published blog with the slug' },
      account: ACCOUNT,
      environment: {
        value: 'ENVIRONMENT',
        values: ['staging', 'live'],
        description: 'Where the page is. On staging, noindex does not lower the score. Default: live'
      },
      viewport: { value: 'VIEWPORT', values: ['mobile', 'desktop'], description: 'Only this viewport. Default: both' },
      'fail-under': { value: 'SCORE', description: 'Exit with code 1 if a score (0 to 100) is lower, or missing' },
      format: {
        value: 'FORMAT',
        values: ['text', 'json', 'junit', 'sarif'],
        description: 'The format of the result. junit and sarif are for CI systems'
      },
      open: { description: 'Open an HTML report with screenshots in the browser' }
    },
    examples: [
      { command: 'check https://example.com/blog/hello --blog hello --open', does: 'One page, with a report' },
      {
        command: 'check --sitemap https://example.com/sitemap.xml --fail-under 90 --format junit > checks.xml',
        does: 'All pages of a site, in CI'
      }
    ],
    load: async () => (await import('../check/check.ts')).check
  },
  'webhooks listen': {
    arguments: [],
    summary: 'Print webhook events as they happen, until Ctrl-C.',
    options: {
      port: { value: 'PORT', description: 'The port that receives the events. Default: any free port' },
      url: { value: 'PUBLIC_URL', description: 'The URL at which the service reaches that port' },
      events: { value: 'TYPE,…', description: 'The types of events. Default: all' },
      account: ACCOUNT,
      forward: { value: 'URL', description: 'Send each event to this receiver too' }
    },
    examples: [
      {
        command: 'webhooks listen --forward http://localhost:4000/hooks',
        does: 'Events for a receiver under development'
      }
    ],
    load: async () => (await import('../webhooks/listen.ts')).webhooksListen
  }
}
