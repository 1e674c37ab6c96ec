import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { prepareFiles } from '../../ports/files/open.ts'
import { migrateStore } from '../../ports/store/open.ts'
import type { Command } from './command.ts'

/**
 * Indexes are made by this command alone, because on a full database that takes long and an
 * operator should choose the moment.
 */
export const migrate: Command = {
  usage: 'migrate',
  summary:
    'Prepare the MongoDB of MONGODB_URL for this version; before the first start and before every upgrade. May run while the service does',
  options: {},
  async run({ tell }) {
    const { MONGODB_URL: mongodbUrl } = parseConfig(readEnvironment())
    if (mongodbUrl === undefined) {
      tell({ created: [], removed: [] }, [
        'MONGODB_URL is not set: the embedded store prepares itself when it is opened.'
      ])
      return 0
    }
    const { created, removed } = await migrateStore({ mongodbUrl })
    created.push(...(await prepareFiles({ mongodbUrl })))
    const lines = [...created.map((name) => `created  ${name}`), ...removed.map((name) => `removed  ${name}`)]
    tell(
      { created, removed },
      lines.length === 0
        ? ['Nothing to do: the database is ready for this version.']
        : [...lines, 'The database is ready for this version.']
    )
    return 0
  }
}
