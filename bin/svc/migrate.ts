import type { RunCommand } from './command.ts'

/**
 * Only this command creates indexes: on a large database that takes long, and the operator chooses
 * when.
 */
export const migrate: RunCommand = async ({ options, config, print }) => {
  const { MONGODB_URL: mongodbUrl } = config()
  if (mongodbUrl === undefined) {
    print({ created: [], removed: [], obsolete: [] }, [
      'Nothing to do: MONGODB_URL is not set. The embedded store migrates itself.'
    ])
    return 0
  }
  const { migrateStore } = await import('../../ports/store/open.ts')
  const { prepareFiles } = await import('../../ports/files/open.ts')
  const { created, removed, obsolete, isComplete } = await migrateStore({
    mongodbUrl,
    cleanup: options.cleanup === true
  })
  created.push(...(await prepareFiles({ mongodbUrl })))
  const lines = [
    ...created.map((name) => `created   ${name}`),
    ...removed.map((name) => `removed   ${name}`),
    ...obsolete.map((name) => `obsolete  ${name}`)
  ]
  const hint =
    'When no process of an older version is left, "svc migrate --cleanup" completes the upgrade: it drops obsolete ' +
    'indexes and turns on stored totals.'
  const hints = obsolete.length === 0 && isComplete ? [] : [hint]
  print(
    { created, removed, obsolete },
    lines.length === 0
      ? ['Nothing to do: the database is up to date.', ...hints]
      : [...lines, 'The database is up to date.', ...hints]
  )
  return 0
}
