import { accountSetFeatures } from './account-set-features.ts'
import { accountSetLimits } from './account-set-limits.ts'
import { accountSetPlan } from './account-set-plan.ts'
import { accountShow } from './account-show.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { config } from './config.ts'
import { exportCommand } from './export.ts'
import { importAll } from './import-all.ts'
import { importBlogs } from './import-blogs.ts'
import { importProducts } from './import-products.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { queues } from './queues.ts'
import { queuesDead } from './queues-dead.ts'
import { queuesRetry } from './queues-retry.ts'
import { secretsReseal } from './secrets-reseal.ts'
import { token } from './token.ts'
import { webhooksListen } from './webhooks-listen.ts'

/** Every command there is, by the words that call it. */
export const commands = {
  token,
  'keys create': keysCreate,
  'keys list': keysList,
  'account show': accountShow,
  'account set-plan': accountSetPlan,
  'account set-limits': accountSetLimits,
  'account set-features': accountSetFeatures,
  'import products': importProducts,
  'import blogs': importBlogs,
  'webhooks listen': webhooksListen,
  check,
  export: exportCommand,
  import: importAll,
  'secrets reseal': secretsReseal,
  queues,
  'queues dead': queuesDead,
  'queues retry': queuesRetry,
  migrate,
  openapi,
  config
} satisfies Record<string, Command>
