import type { CommandDescription, OptionDescription } from './command.ts'

const ACCOUNT = { value: 'ACCOUNT', description: 'The account. Default: demo' } as const
const PROJECT = { value: 'ID', description: 'The project. Default: default' } as const

export const COMMANDS: Readonly<Record<string, CommandDescription>> = {
  token: {
    arguments: [],
    summary: 'Print a session token for key management and account settings.',
    options: {
      account: ACCOUNT,
      role: { value: 'ROLE', values: ['admin'], description: 'Also allow the administration of all accounts' },
      expires: { value: 'DURATION', description: 'How long it is valid, such as 90s, 30m or 7d. Default: 1h' }
    },
    examples: [
      { command: 'token --account acme', does: 'A token for the keys of the account acme' },
      { command: 'token --role admin --expires 10m', does: 'A token for administration that expires soon' }
    ],
    load: async () => (await import('./token.ts')).token
  },
  console: {
    arguments: [],
    summary: 'Print a link that signs in to the console.',
    details: 'The link works once, within 15 minutes.',
    options: { account: ACCOUNT },
    examples: [{ command: 'console --account acme', does: 'A link to the console of the account acme' }],
    load: async () => (await import('./console.ts')).consoleLink
  },
  'keys create': {
    arguments: [],
    summary: 'Create an API key and print its value.',
    details: 'The value cannot be shown again.',
    options: {
      name: { value: 'NAME', required: true, description: 'A label for the key' },
      account: ACCOUNT,
      scopes: { value: 'SCOPE,…', description: 'What the key may do. Default: all scopes' },
      projects: { value: 'ID,…', description: 'The projects that the key may use. Default: all' },
      'expires-at': { value: 'TIME', description: 'When the key expires, such as 2027-01-31. Default: never' }
    },
    examples: [
      {
        command: 'keys create --name "My site" --scopes blogs:read,images:read',
        does: 'A key for a website that shows blogs'
      }
    ],
    load: async () => (await import('./keys.ts')).keysCreate
  },
  'keys list': {
    arguments: [],
    summary: 'List the API keys of an account, without their values.',
    options: { account: ACCOUNT },
    examples: [{ command: 'keys list --account acme --json', does: 'The keys of the account acme as JSON' }],
    load: async () => (await import('./keys.ts')).keysList
  },
  'account show': {
    arguments: ['[ACCOUNT]'],
    summary: 'Show the plan, the request limit and the features of an account.',
    options: {},
    examples: [{ command: 'account show acme', does: 'The settings of the account acme' }],
    load: async () => (await import('./account.ts')).accountShow
  },
  'account set-plan': {
    arguments: ['ACCOUNT', 'PLAN'],
    argumentValues: ['starter', 'sage', 'samurai'],
    summary: 'Change the plan of an account, effective immediately.',
    options: {},
    examples: [{ command: 'account set-plan acme sage', does: 'The account acme has the plan Sage' }],
    load: async () => (await import('./account.ts')).accountSetPlan
  },
  'account set-limits': {
    arguments: ['ACCOUNT'],
    summary: 'Override the hourly request limit and the storage limits of an account.',
    details: 'The value "plan" restores the limit of the plan. Limits that are not given stay as they are.',
    options: {
      'requests-per-hour': { value: 'NUMBER|plan', description: 'The hourly request limit' },
      'storage-bytes': { value: 'NUMBER|plan', description: 'The bytes that all content may have' },
      blogs: { value: 'NUMBER|plan', description: 'The number of blogs' },
      products: { value: 'NUMBER|plan', description: 'The number of products' },
      images: { value: 'NUMBER|plan', description: 'The number of images' },
      'count-not-modified': {
        value: 'yes|no',
        values: ['yes', 'no'],
        description: 'Whether 304 responses count against the hourly request limit'
      }
    },
    examples: [
      { command: 'account set-limits acme --requests-per-hour 5000', does: 'Allow 5,000 requests per hour' },
      { command: 'account set-limits acme --requests-per-hour plan', does: 'The limit of the plan again' }
    ],
    load: async () => (await import('./account.ts')).accountSetLimits
  },
  'account set-features': {
    arguments: ['ACCOUNT', 'FEATURE,…'],
    argumentValues: ['blogs', 'images', 'products', 'visual-check', 'webhooks'],
    summary: 'Set the features of an account.',
    details: 'An empty string removes all features.',
    options: {},
    examples: [{ command: 'account set-features acme blogs,images', does: 'No products' }],
    load: async () => (await import('./account.ts')).accountSetFeatures
  },
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
    load: async () => (await import('./import/products.ts')).importProducts
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
    load: async () => (await import('./import/blogs.ts')).importBlogs
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
    load: async () => (await import('./optimize.ts')).optimize
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
    load: async () => (await import('./webhooks/listen.ts')).webhooksListen
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
    load: async () => (await import('./check/check.ts')).check
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
    load: async () => (await import('./export-products.ts')).exportProducts
  },
  export: {
    arguments: ['[FILE]'],
    summary: 'Export all data as lines of JSON to FILE or standard output.',
    options: {
      'with-secrets': {
        description: 'Include webhook signing secrets in plain text, for an import with another SECRETS_KEY'
      }
    },
    examples: [{ command: 'export backup.ndjson', does: 'All accounts, blogs, products, images and webhooks' }],
    load: async () => (await import('./export.ts')).exportCommand
  },
  import: {
    arguments: ['[FILE]'],
    summary: 'Import an export into an empty store.',
    details: 'Stop the server first. Run an interrupted import again with the same file to resume it.',
    options: {
      'into-existing': {
        description: 'Add the data to a store that is not empty. Nothing is imported if anything conflicts'
      }
    },
    examples: [{ command: 'import backup.ndjson', does: 'All data of the file' }],
    load: async () => (await import('./import/all.ts')).importAll
  },
  'secrets rotate-key': {
    arguments: [],
    summary: 'Re-encrypt all webhook signing secrets with the first SECRETS_KEY.',
    details: 'The service may be running. Afterwards the other keys can be removed from SECRETS_KEY.',
    options: {},
    examples: [],
    load: async () => (await import('./secrets.ts')).secretsRotateKey
  },
  'secrets accept-key': {
    arguments: [],
    summary: 'Accept SECRETS_KEY for this store after the previous key was lost.',
    details:
      'Stop the service first. Signing secrets that are encrypted with the lost key stay unreadable: rotate the ' +
      'secret of every webhook.',
    options: {},
    examples: [],
    load: async () => (await import('./secrets.ts')).secretsAcceptKey
  },
  audit: {
    arguments: [],
    summary: 'Show who changed what in an account, newest first.',
    details: 'With API keys, in the console, with this command line, and by the service itself.',
    options: {
      account: ACCOUNT,
      actor: { value: 'ID', description: 'Only changes by this API key or user' },
      action: { value: 'ACTION', description: 'Only this action, such as key.created' },
      target: { value: 'ID', description: 'Only changes of the record with this id' },
      since: { value: 'TIME', description: 'Only changes at this time or later, such as 2027-01-31' },
      until: { value: 'TIME', description: 'Only changes before this time' },
      limit: { value: 'N', description: 'The maximum number of entries, or "all". Default: 50' }
    },
    examples: [
      { command: 'audit --account acme --action key.created', does: 'Who created API keys' },
      { command: 'audit --account acme --since 2027-01-01 --limit all --json', does: 'All changes of the year as JSON' }
    ],
    load: async () => (await import('./audit.ts')).audit
  },
  queues: {
    arguments: [],
    summary: 'Show the number of waiting, running and dead jobs.',
    options: {
      open: { description: 'Print the URL of the dashboard and a token to sign in with. Needs REDIS_URL' }
    },
    examples: [{ command: 'queues --open', does: 'The address of the dashboard' }],
    load: async () => (await import('./queues.ts')).queues
  },
  'queues dead': {
    arguments: ['[JOB]'],
    summary: 'List the jobs that failed their last attempt, newest first.',
    options: {},
    examples: [{ command: 'queues dead deliver-webhooks', does: 'The dead jobs of one name' }],
    load: async () => (await import('./queues.ts')).queuesDead
  },
  'queues retry': {
    arguments: ['JOB', '[ID]'],
    summary: 'Retry dead jobs: the job with this id, or all of them.',
    options: {},
    examples: [{ command: 'queues retry deliver-webhooks', does: 'All dead jobs of one name' }],
    load: async () => (await import('./queues.ts')).queuesRetry
  },
  migrate: {
    arguments: [],
    summary: 'Prepare the database of MONGODB_URL for this version.',
    details:
      'Run it before the first start and before every upgrade. The service may be running, also the previous ' +
      'version. Indexes that the service did not create are never dropped.',
    options: {
      cleanup: {
        description:
          'Also drop the indexes that only older versions use. Run it when no process of an older version is left'
      }
    },
    examples: [{ command: 'migrate', does: 'Before the start of a new version' }],
    load: async () => (await import('./migrate.ts')).migrate
  },
  openapi: {
    arguments: [],
    summary: 'Print the OpenAPI document of the API.',
    options: {},
    examples: [{ command: 'openapi > openapi.json', does: 'The document in a file' }],
    load: async () => (await import('./openapi.ts')).openapi
  },
  config: {
    arguments: [],
    summary: 'Show the effective settings, with secrets masked.',
    options: {},
    examples: [{ command: 'config --json', does: 'The settings as JSON' }],
    load: async () => (await import('./config.ts')).config
  },
  completion: {
    arguments: ['SHELL'],
    argumentValues: ['bash', 'zsh', 'fish'],
    summary: 'Print a script that completes commands and options in a shell.',
    options: {},
    examples: [
      { command: 'completion bash > ~/.local/share/bash-completion/completions/svc', does: 'For Bash' },
      { command: 'completion zsh > ~/.zsh/completions/_svc', does: 'For Zsh' },
      { command: 'completion fish > ~/.config/fish/completions/svc.fish', does: 'For Fish' }
    ],
    load: async () => (await import('./completion.ts')).completion
  }
}

/** The options of every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionDescription>> = {
  json: { description: 'Print the result as JSON' },
  help: { description: 'Show the help of a command' }
}
