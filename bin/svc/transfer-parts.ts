import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { secretsKeysOf } from '../../plugins/secrets.ts'
import { openFiles } from '../../ports/files/open.ts'
import { openLimits } from '../../ports/limits/open.ts'
import { openStore } from '../../ports/store/open.ts'
import { createTransfer, type Transfer } from '../../services/transfer/index.ts'

/**
 * What everything is moved with, on the store of the settings, for as long as `act` takes. No
 * service is started: nothing is sent, worked on or seeded meanwhile.
 * Throws a StartError when a part cannot be opened, such as a data folder that a server uses.
 */
export async function withTransfer<Result>(act: (transfer: Transfer) => Promise<Result>): Promise<Result> {
  const config = parseConfig(readEnvironment())
  const { MONGODB_URL: mongodbUrl, REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix, DATA_DIR: dataDir } = config
  const opened: { close: () => Promise<void> }[] = []
  const kept = <Part extends { close: () => Promise<void> }>(part: Part): Part => {
    opened.unshift(part)
    return part
  }
  try {
    const store = kept(await openStore({ mongodbUrl, dataDir }))
    const files = kept(await openFiles({ mongodbUrl, dataDir }))
    const limits = kept(await openLimits({ redisUrl, redisPrefix }))
    return await act(createTransfer({ store, files, limits, secretsKeys: secretsKeysOf(config) }))
  } finally {
    for (const part of opened) await part.close()
  }
}
