import type { CommandDescription } from '../command.ts'
import { ACCOUNT } from './options.ts'

/** Commands about accounts: who may use the service, and how much. */
export const ACCESS_COMMANDS: Readonly<Record<string, CommandDescription>> = {
  token: {
    arguments: [],
    summary: 'Print a session token for key management and account settings.',
    options: {
      account: ACCOUNT,
      role: { value: 'ROLE', values: ['admin'], description: 'Also allow administration of all accounts' },
      expires: { value: 'DURATION', description: 'How long the token is valid, such as 90s, 30m or 7d. Default: 1h' }
    },
    examples: [
      { command: 'token --account acme', does: 'Print a token for the account acme' },
      { command: 'token --role admin --expires 10m', does: 'Print an administrator token that expires in 10 minutes' }
    ],
    load: async () => (await import('../token.ts')).token
  },
  console: {
    arguments: [],
    summary: 'Print a sign-in link for the console.',
    details: 'The link works once, and expires after 15 minutes.',
    options: { account: ACCOUNT },
    examples: [{ command: 'console --account acme', does: 'Print a link for the account acme' }],
    load: async () => (await import('../console.ts')).consoleLink
  },
  'keys create': {
    arguments: [],
    summary: 'Create an API key and print its value.',
    details: 'The value is shown only once.',
    options: {
      name: { value: 'NAME', required: true, description: 'A label for the key' },
      account: ACCOUNT,
      scopes: {
        value: 'SCOPE,…',
        description:
          'What the key may do. Default: blogs:read, blogs:write, products:read, products:write, images:read. ' +
          'Others: previews:write, webhooks:read, webhooks:write, events:read, audit:read'
      },
      projects: { value: 'ID,…', description: 'The projects that the key may access. Default: all projects' },
      'expires-at': { value: 'TIME', description: 'When the key expires, such as 2027-01-31. Default: never' }
    },
    examples: [
      {
        command: 'keys create --name "My site" --scopes blogs:read,images:read',
        does: 'Create a key for a website that shows blogs'
      }
    ],
    load: async () => (await import('../keys.ts')).keysCreate
  },
  'keys list': {
    arguments: [],
    summary: 'List the API keys of an account, without their values.',
    options: { account: ACCOUNT },
    examples: [{ command: 'keys list --account acme --json', does: 'List the keys of the account acme as JSON' }],
    load: async () => (await import('../keys.ts')).keysList
  },
  'account show': {
    arguments: ['[ACCOUNT]'],
    summary: 'Show the plan, the limits and the features of an account.',
    options: {},
    examples: [{ command: 'account show acme', does: 'Show the account acme' }],
    load: async () => (await import('../account.ts')).accountShow
  },
  'account set-plan': {
    arguments: ['ACCOUNT', 'PLAN'],
    argumentValues: ['starter', 'sage', 'samurai'],
    summary: 'Change the plan of an account, effective immediately.',
    options: {},
    examples: [{ command: 'account set-plan acme sage', does: 'Move the account acme to the Sage plan' }],
    load: async () => (await import('../account.ts')).accountSetPlan
  },
  'account set-limits': {
    arguments: ['ACCOUNT'],
    summary: 'Override the hourly request limit and the storage limits of an account.',
    details: 'Limits that you omit do not change. The value "plan" restores the limit of the plan.',
    options: {
      'requests-per-hour': { value: 'NUMBER|plan', description: 'The maximum number of requests per hour' },
      'storage-bytes': { value: 'NUMBER|plan', description: 'The maximum size of all content, in bytes' },
      blogs: { value: 'NUMBER|plan', description: 'The maximum number of blogs' },
      products: { value: 'NUMBER|plan', description: 'The maximum number of products' },
      images: { value: 'NUMBER|plan', description: 'The maximum number of images' },
      'count-not-modified': {
        value: 'yes|no',
        values: ['yes', 'no'],
        description: 'Whether 304 responses count toward the request limit'
      }
    },
    examples: [
      { command: 'account set-limits acme --requests-per-hour 5000', does: 'Allow 5,000 requests per hour' },
      { command: 'account set-limits acme --requests-per-hour plan', does: 'Restore the limit of the plan' }
    ],
    load: async () => (await import('../account.ts')).accountSetLimits
  },
  'account set-features': {
    arguments: ['ACCOUNT', 'FEATURE,…'],
    argumentValues: ['blogs', 'images', 'products', 'visual-check', 'webhooks'],
    summary: 'Set the features of an account.',
    details: 'Use "" to remove all features.',
    options: {},
    examples: [{ command: 'account set-features acme blogs,images', does: 'Allow only blogs and images' }],
    load: async () => (await import('../account.ts')).accountSetFeatures
  },
  audit: {
    arguments: [],
    summary: 'Show who changed what in an account, newest first.',
    details: 'Includes changes made with API keys, in the console, with svc, and by the service itself.',
    options: {
      account: ACCOUNT,
      actor: { value: 'ID', description: 'Only changes by this API key or user' },
      action: { value: 'ACTION', description: 'Only this action, such as key.created' },
      target: { value: 'ID', description: 'Only changes to the record with this ID' },
      since: { value: 'TIME', description: 'Only changes at or after this time, such as 2027-01-31' },
      until: { value: 'TIME', description: 'Only changes before this time' },
      limit: { value: 'N', description: 'The maximum number of entries, or "all". Default: 50' }
    },
    examples: [
      { command: 'audit --account acme --action key.created', does: 'Show who created API keys' },
      {
        command: 'audit --account acme --since 2027-01-01 --limit all --json',
        does: 'Show all changes since January 1, 2027, as JSON'
      }
    ],
    load: async () => (await import('../audit.ts')).audit
  }
}
