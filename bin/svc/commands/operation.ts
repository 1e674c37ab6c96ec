import type { CommandDescription } from '../command.ts'

/** Commands for operators of the service. */
export const OPERATION_COMMANDS: Readonly<Record<string, CommandDescription>> = {
  export: {
    arguments: ['[FILE]'],
    summary: 'Export all data as NDJSON to a file or to standard output.',
    options: {
      'with-secrets': {
        description: 'Include webhook signing secrets in plain text, for an import with another SECRETS_KEY'
      }
    },
    examples: [{ command: 'export backup.ndjson', does: 'Export everything to a file' }],
    load: async () => (await import('../export.ts')).exportCommand
  },
  import: {
    arguments: ['[FILE]'],
    summary: 'Import the data of an export into an empty store.',
    details:
      'Stop the server first. Without FILE, standard input is read. To resume an interrupted import, run it again ' +
      'with the same file.',
    options: {
      'into-existing': {
        description: 'Import into a store that is not empty. If anything conflicts, nothing is imported'
      }
    },
    examples: [{ command: 'import backup.ndjson', does: 'Import everything from a file' }],
    load: async () => (await import('../import/all.ts')).importAll
  },
  'secrets rotate-key': {
    arguments: [],
    summary: 'Re-encrypt all webhook signing secrets with the first SECRETS_KEY.',
    details: 'The service can keep running. Afterwards, you can remove the other keys from SECRETS_KEY.',
    options: {},
    examples: [],
    load: async () => (await import('../secrets.ts')).secretsRotateKey
  },
  'secrets accept-key': {
    arguments: [],
    summary: 'Accept SECRETS_KEY for this store after the previous key was lost.',
    details:
      'Stop the service first. Signing secrets that are encrypted with the lost key remain unreadable: rotate the ' +
      'secret of every webhook.',
    options: {},
    examples: [],
    load: async () => (await import('../secrets.ts')).secretsAcceptKey
  },
  queues: {
    arguments: [],
    summary: 'Show the number of waiting, running and dead jobs.',
    options: {
      open: { description: 'Print the URL of the dashboard and a token to sign in with. Requires REDIS_URL' }
    },
    examples: [{ command: 'queues --open', does: 'Print the URL of the dashboard' }],
    load: async () => (await import('../queues.ts')).queues
  },
  'queues dead': {
    arguments: ['[JOB]'],
    summary: 'List the jobs that failed their last attempt, newest first.',
    options: {},
    examples: [{ command: 'queues dead deliver-webhooks', does: 'List the dead webhook deliveries' }],
    load: async () => (await import('../queues.ts')).queuesDead
  },
  'queues retry': {
    arguments: ['JOB', '[ID]'],
    summary: 'Retry all dead jobs named JOB, or only the one with this ID.',
    options: {},
    examples: [{ command: 'queues retry deliver-webhooks', does: 'Retry all dead webhook deliveries' }],
    load: async () => (await import('../queues.ts')).queuesRetry
  },
  migrate: {
    arguments: [],
    summary: 'Prepare the database of MONGODB_URL for this version.',
    details:
      'Run it before the first start and before every upgrade. The previous version can keep running. Indexes that ' +
      'the service did not create are never dropped.',
    options: {
      cleanup: {
        description:
          'Also drop the indexes that only older versions use. Use it when no process of an older version is running'
      }
    },
    examples: [{ command: 'migrate', does: 'Prepare the database before the start of a new version' }],
    load: async () => (await import('../migrate.ts')).migrate
  },
  openapi: {
    arguments: [],
    summary: 'Print the OpenAPI document of the API.',
    options: {},
    examples: [{ command: 'openapi > openapi.json', does: 'Save the document to a file' }],
    load: async () => (await import('../openapi.ts')).openapi
  },
  config: {
    arguments: [],
    summary: 'Show the effective settings. Secrets are masked.',
    options: {},
    examples: [{ command: 'config --json', does: 'Show the settings as JSON' }],
    load: async () => (await import('../config.ts')).config
  },
  completion: {
    arguments: ['SHELL'],
    argumentValues: ['bash', 'zsh', 'fish'],
    summary: 'Print a shell script that completes commands, options and values.',
    options: {},
    examples: [
      {
        command: 'completion bash > ~/.local/share/bash-completion/completions/svc',
        does: 'Install the script for Bash'
      },
      { command: 'completion zsh > ~/.zsh/completions/_svc', does: 'Install the script for Zsh' },
      { command: 'completion fish > ~/.config/fish/completions/svc.fish', does: 'Install the script for Fish' }
    ],
    load: async () => (await import('../completion.ts')).completion
  }
}
