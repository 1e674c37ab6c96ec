import { openStore } from '../../ports/store/open.ts'
import { loadSecretsKeys } from '../../plugins/secrets.ts'
import { createSecretsKeyCheck } from '../../services/secrets-key.ts'
import type { RunCommand } from './command.ts'
import { countOf } from './output.ts'

interface RotationResult {
  webhooks: number
  reencrypted: number
  unreadable: number
}

export const secretsRotateKey: RunCommand = async ({ adminClient, print }) => {
  const result = await (await adminClient()).call<RotationResult>('POST', '/api/admin/secrets/rotate-key')
  const { webhooks, reencrypted, unreadable } = result
  const rest =
    unreadable === 0
      ? 'All secrets use the first SECRETS_KEY; the other keys can be removed.'
      : `${countOf(unreadable, 'secret')} cannot be decrypted with any key in SECRETS_KEY and ` +
        `${unreadable === 1 ? 'was' : 'were'} left unchanged.`
  print({ webhooks, reencrypted, unreadable }, [
    `${countOf(webhooks, 'webhook')}: ${countOf(reencrypted, 'secret')} re-encrypted. ${rest}`
  ])
  return unreadable === 0 ? 0 : 1
}

/** Opens the store itself: with a wrong key the service does not start. */
export const secretsAcceptKey: RunCommand = async ({ config, print }) => {
  const { MONGODB_URL: mongodbUrl, DATA_DIR: dataDir } = config()
  const store = await openStore({ mongodbUrl, dataDir })
  try {
    await createSecretsKeyCheck({ store, keys: loadSecretsKeys(config()) }).accept()
  } finally {
    await store.close()
  }
  print({ accepted: true }, ['The store accepts the first key of SECRETS_KEY. Rotate the secret of every webhook.'])
  return 0
}
