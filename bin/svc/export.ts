import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StartError } from '../../errors.ts'
import { loadSecretsKeys } from '../../plugins/secrets.ts'
import type { ExportData } from '../../services/transfer/index.ts'
import { findRunningServer, type AdminClient } from './admin-client.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { formatCounts, withTransfer } from './transfer.ts'

const SECRETS_WARNING = [
  'Warning: this export contains the webhook signing secrets in plain text.',
  'Store it like a password and delete it after the import.'
].join(' ')

export const exportCommand: RunCommand = async ({ args: [file], options, config, adminClient, stdout, log }) => {
  const settings = config()
  const withSecrets = options['with-secrets'] === true
  const { createSecretsDecryptor, parseExport, serializeExport } = await import('../../services/transfer/index.ts')
  const counts = new Map<string, number>()
  const write = async ({ header, entries }: ExportData) => {
    const data = withSecrets
      ? createSecretsDecryptor(loadSecretsKeys(settings))({ header, entries })
      : { header, entries }
    await writeLines(serializeExport(data.header, countKinds(data.entries, counts)), { file, stdout })
  }
  if (withSecrets) log(SECRETS_WARNING)
  // A running server owns its data folder and makes the export. Other stores are opened here.
  if (settings.MONGODB_URL === undefined && (await findRunningServer(settings.DATA_DIR)) !== null) {
    await write(await parseExport(downloadExport(await adminClient())))
  } else await withTransfer(settings, (transfer) => write(transfer.createExport()))
  log(`Exported ${formatCounts(Object.fromEntries(counts)) ?? 'nothing: the store is empty'}.`)
  return 0
}

/** Passes the entries through and counts them by kind. */
async function* countKinds<Entry extends { kind: string }>(
  entries: AsyncIterable<Entry>,
  counts: Map<string, number>
): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    counts.set(entry.kind, (counts.get(entry.kind) ?? 0) + 1)
    yield entry
  }
}

/** The export of a running server. */
async function* downloadExport(client: AdminClient): AsyncGenerator<Uint8Array> {
  try {
    for await (const line of client.lines('/api/admin/export')) yield Buffer.from(`${line}\n`)
  } catch (error) {
    // fetch rejects with a TypeError when the connection breaks
    // (https://fetch.spec.whatwg.org/#concept-network-error).
    if (error instanceof TypeError) {
      throw new StartError('The server closed the connection during the export. See the server log.', { cause: error })
    }
    throw error
  }
}

/**
 * Writes to stdout, or to a file that only its owner can read: an export contains key hashes and
 * customer content. The file appears under its name only when it is complete.
 */
async function writeLines(
  lines: AsyncIterable<string>,
  { file, stdout }: { file: string | undefined; stdout: CommandContext['stdout'] }
): Promise<void> {
  if (file === undefined) return await pipeLines(lines, stdout)
  const partialFile = `${file}.part`
  try {
    await rm(partialFile, { force: true })
    const target = createWriteStream(partialFile, { flags: 'wx', mode: 0o600, flush: true })
    await once(target, 'open')
    await pipeLines(lines, target)
    target.end()
    await finished(target)
    await rename(partialFile, file)
  } catch (error) {
    await rm(partialFile, { force: true })
    if ((error as NodeJS.ErrnoException).syscall !== undefined) {
      throw new StartError(`Cannot write the export: ${(error as Error).message}`, { cause: error })
    }
    throw error
  }
}

async function pipeLines(lines: AsyncIterable<string>, target: Writable): Promise<void> {
  for await (const line of lines) if (!target.write(line)) await once(target, 'drain')
}
