import type { CommandDescription } from '../command.ts'

/** Commands for operators of the service. */
export const OPERATION_COMMANDS: Readonly<Record<string, CommandDescription>> = {
  export: {
    arguments: ['[FILE]'],
    summary: 'Export all data as lines of JSON to FILE or standard output.',
    options: {
      'with-secrets': {
        description: 'Include webhook signing secrets in plain text, for an import with another SECRETS_KEY'
      }
    },
    examples: [{ command: 'export backup.ndjson', does: 'All accounts, blogs, products, images and webhooks' }],
    load: async () => (await import('../export.ts')).exportCommand
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
    load: async () => (await import('../import/all.ts')).importAll
  },
  'secrets rotate-key': {
    arguments: [],
    summary: 'Re-encrypt all webhook signing secrets with the first SECRETS_KEY.',
    details: 'The service may be running. Afterwards the other keys can be removed from SECRETS_KEY.',
    options: {},
    examples: [],
    load: async () => (await import('../secrets.ts')).secretsRotateKey
  },
  'secrets accept-key': {
    arguments: [],
    summary: 'Accept SECRETS_KEY for this store after the previous key was lost.',
    details:
      'Stop the service first. Signing secrets that are encrypted with the lost key stay unreadable: rotate the ' +
      'secret of every webhook.',
    options: {},
    examples: [],
    load: async () => (await import('../secrets.ts')).secretsAcceptKey
  },
  queues: {
    arguments: [],
    summary: 'Show the number of waiting, running and dead jobs.',
    options: {
      open: { description: 'Print the URL of the dashboard and a token to sign in with. Needs REDIS_URL' }
    },
    examples: [{ command: 'queues --open', does: 'The address of the dashboard' }],
    load: async () => (await import('../queues.ts')).queues
  },
  'queues dead': {
    arguments: ['[JOB]'],
    summary: 'List the jobs that failed their last attempt, newest first.',
    options: {},
    examples: [{ command: 'queues dead deliver-webhooks', does: 'The dead jobs of one name' }],
    load: async () => (await import('../queues.ts')).queuesDead
  },
  'queues retry': {
    arguments: ['JOB', '[ID]'],
    summary: 'Retry dead jobs: the job with this id, or all of them.',
    options: {},
    examples: [{ command: 'queues retry deliver-webhooks', does: 'All dead jobs of one name' }],
    load: async () => (await import('../queues.ts')).queuesRetry
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
    load: async () => (await import('../migrate.ts')).migrate
  },
  openapi: {
    arguments: [],
    summary: 'Print the OpenAPI document of the API.',
    options: {},
    examples: [{ command: 'openapi > openapi.json', does: 'The document in a file' }],
    load: async () => (await import('../openapi.ts')).openapi
  },
  config: {
    arguments: [],
    summary: 'Show the effective settings, with secrets masked.',
    options: {},
    examples: [{ command: 'config --json', does: 'The settings as JSON' }],
    load: async () => (await import('../config.ts')).config
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
    load: async () => (await import('../completion.ts')).completion
  }
}
