import type { CommandDescription } from '../command.ts'
import { ACCOUNT, PROJECT } from './options.ts'

/** Commands about an account's content. */
export const CONTENT_COMMANDS: Readonly<Record<string, CommandDescription>> = {
  'import products': {
    arguments: ['FILE'],
    summary: 'Import products from a CSV or NDJSON file.',
    details:
      'The file may be compressed with gzip. The columns of Shopify, WooCommerce and Google Merchant files are ' +
      'detected.',
    options: {
      project: PROJECT,
      account: ACCOUNT,
      map: { value: 'COLUMN:FIELD,…', description: 'Assign columns that are not detected to fields' },
      failed: { value: 'FILE', description: 'Save the rows that failed, so that you can fix and import them again' }
    },
    examples: [
      { command: 'import products catalog.csv --project shop', does: 'Import all rows of a file' },
      {
        command: 'import products feed.csv --map "SKU:externalId,Name:title,Cost:price" --failed failed.csv',
        does: 'Import a file with other column names, and save the rows that failed'
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
      verbose: { description: 'Print every warning instead of a summary' }
    },
    examples: [
      { command: 'import blogs ./posts --project site', does: 'Import all files of the folder and its subfolders' }
    ],
    load: async () => (await import('../import/blogs.ts')).importBlogs
  },
  optimize: {
    arguments: [],
    summary: 'Optimize the products of a project, or preview the generated texts.',
    details: 'Language model calls of --compare count toward OPTIMIZER_CALLS_PER_HOUR.',
    options: {
      project: { value: 'ID', required: true, description: 'The project' },
      account: ACCOUNT,
      force: { description: 'Also optimize products that have not changed' },
      'dry-run': { description: 'Print the texts of a sample of products, without saving them' },
      sample: { value: 'N', description: 'With --dry-run: the number of products in the sample. Default: 20' },
      compare: { description: 'With --dry-run: also print the texts of the language model' }
    },
    examples: [
      { command: 'optimize --project shop --dry-run --sample 3', does: 'Preview the texts of three products' },
      { command: 'optimize --project shop --force', does: 'Optimize all products again' }
    ],
    load: async () => (await import('../optimize.ts')).optimize
  },
  'export products': {
    arguments: ['FILE'],
    summary: 'Export product texts to a CSV file for Shopify or WooCommerce.',
    details: 'The file has one row for each product page. Importing it into the shop changes only the texts.',
    options: {
      project: PROJECT,
      account: ACCOUNT,
      format: {
        value: 'FORMAT',
        values: ['shopify', 'woocommerce'],
        description: 'The shop system that imports the file. Default: shopify'
      },
      'seo-plugin': {
        value: 'PLUGIN',
        values: ['yoast', 'rank-math'],
        description: 'The WordPress plugin that stores the meta texts. Default: yoast'
      }
    },
    examples: [
      {
        command: 'export products texts.csv --project shop --format woocommerce',
        does: 'Export a file for WooCommerce'
      }
    ],
    load: async () => (await import('../export-products.ts')).exportProducts
  },
  check: {
    arguments: ['[URL]'],
    summary: 'Open published pages in a browser and compare them with their blogs.',
    details: 'Pass the URL of a page and --blog, or pass --sitemap. Progress is written to standard error.',
    options: {
      blog: { value: 'SLUG', description: 'The slug of the blog that the page shows' },
      sitemap: { value: 'URL', description: 'Check all pages in this sitemap whose URLs end with the slug of a blog' },
      project: { value: 'ID', description: 'The project of the blog, if several projects use its slug' },
      account: ACCOUNT,
      environment: {
        value: 'ENVIRONMENT',
        values: ['staging', 'live'],
        description: 'The kind of site. With staging, noindex does not lower the score. Default: live'
      },
      viewport: {
        value: 'VIEWPORT',
        values: ['mobile', 'desktop'],
        description: 'Check only this viewport. Default: both'
      },
      'fail-under': {
        value: 'SCORE',
        description: 'Exit with code 1 if a score (0 to 100) is lower than this, or missing'
      },
      format: {
        value: 'FORMAT',
        values: ['text', 'json', 'junit', 'sarif'],
        description: 'The output format. Use junit or sarif in CI systems. Default: text'
      },
      open: { description: 'Open an HTML report with screenshots in the browser' }
    },
    examples: [
      {
        command: 'check https://example.com/blog/hello --blog hello --open',
        does: 'Check a page, and open the report'
      },
      {
        command: 'check --sitemap https://example.com/sitemap.xml --fail-under 90 --format junit > checks.xml',
        does: 'Check all pages of a site in CI'
      }
    ],
    load: async () => (await import('../check/check.ts')).check
  },
  'webhooks listen': {
    arguments: [],
    summary: 'Print webhook events as they happen, until you press Ctrl-C.',
    options: {
      port: { value: 'PORT', description: 'The port that receives the events. Default: any free port' },
      url: { value: 'URL', description: 'The URL at which the service can reach that port' },
      events: { value: 'TYPE,…', description: 'The event types, such as blog.published. Default: all types' },
      account: ACCOUNT,
      forward: { value: 'URL', description: 'Also send each event to this receiver' }
    },
    examples: [
      {
        command: 'webhooks listen --forward http://localhost:4000/hooks',
        does: 'Forward events to a receiver during development'
      }
    ],
    load: async () => (await import('../webhooks/listen.ts')).webhooksListen
  }
}
