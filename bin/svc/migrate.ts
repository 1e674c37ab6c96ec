import type { Command } from './command.ts'

/**
 * Only this command creates indexes: on a large database that takes long, and the operator chooses
 * when.
 */
export const migrate: Command = {
  usage: 'migrate',
  summary: 'Prepare the database of MONGODB_URL for this version.',
  details: 'Run it before the first start and before every upgrade. The service may be running.',
  options: {},
  async run({ config, print }) {
    const { MONGODB_URL: mongodbUrl } = config()
    if (mongodbUrl === undefined) {
      print({ created: [], removed: [] }, [
        'Nothing to do: MONGODB_URL is not set. The embedded store migrates itself.'
      ])
      return 0
    }
    const { migrateStore } = await import('../../ports/store/open.ts')
    const { prepareFiles } = await import('../../ports/files/open.ts')
    const { created, removed } = await migrateStore({ mongodbUrl })
    created.push(...(await prepareFiles({ mongodbUrl })))
    const lines = [...created.map((name) => `created  ${name}`), ...removed.map((name) => `removed  ${name}`)]
    print(
      { created, removed },
      lines.length === 0 ? ['Nothing to do: the database is up to date.'] : [...lines, 'The database is up to date.']
    )
    return 0
  }
}
