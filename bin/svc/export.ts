import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { StartError } from '../../errors.ts'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { secretsKeysOf } from '../../plugins/secrets.ts'
import { createSecretsDecryptor, serializeExport, parseExport, type ExportData } from '../../services/transfer/index.ts'
import { UsageError, type Command } from './command.ts'
import { runningServer, type Operator } from './operator.ts'
import { withTransfer } from './transfer-parts.ts'
import { inWords } from './transfer-words.ts'

const READABLE =
  'The signing secrets of webhooks can be read in this export by whoever has it: keep it as you keep a password, and remove it when it was imported.'

export const exportCommand: Command = {
  usage: 'export [FILE] [--with-secrets]',
  summary:
    'Write everything as lines of JSON, to FILE or the output; --with-secrets: the signing secrets of webhooks readable, for an import under another SECRETS_KEY',
  options: { 'with-secrets': { type: 'boolean' } },
  async run({ words: [file, ...others], values, operator, note }) {
    if (others.length > 0) throw new UsageError('Name one file.')
    const config = parseConfig(readEnvironment())
    const withSecrets = values['with-secrets'] === true
    const counts = new Map<string, number>()
    const write = async ({ header, entries }: ExportData) => {
      const source = withSecrets
        ? createSecretsDecryptor(secretsKeysOf(config))({ header, entries })
        : { header, entries }
      await writeLines(serializeExport(source.header, counted(source.entries, counts)), file)
    }
    if (withSecrets) note(READABLE)
    // A server that has the data folder is asked; everything else is opened here.
    if (config.MONGODB_URL === undefined && (await runningServer(config.DATA_DIR)) !== null) {
      await write(await parseExport(bytesFrom(await operator())))
    } else await withTransfer((transfer) => write(transfer.createExport()))
    note(`ExportData ${inWords(Object.fromEntries(counts)) ?? 'nothing: the store is empty'}.`)
    return 0
  }
}

async function* counted<E extends { kind: string }>(
  entries: AsyncIterable<E>,
  counts: Map<string, number>
): AsyncGenerator<E> {
  for await (const entry of entries) {
    counts.set(entry.kind, (counts.get(entry.kind) ?? 0) + 1)
    yield entry
  }
}

/** What the server sends. */
async function* bytesFrom(service: Operator): AsyncGenerator<Uint8Array> {
  try {
    for await (const line of service.lines('/api/admin/export')) yield Buffer.from(`${line}\n`)
  } catch (error) {
    // What fetch throws when the other side goes away
    // (https://fetch.spec.whatwg.org/#concept-network-error).
    if (error instanceof TypeError) {
      throw new StartError('The server broke the export off; its log says why.', { cause: error })
    }
    throw error
  }
}

/**
 * Writes to the output, or whole or not at all to the file, which its owner alone may read: there
 * are hashes of keys in it, and customers' content.
 */
async function writeLines(lines: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file === undefined) return await pour(lines, process.stdout)
  const part = `${file}.part`
  try {
    await rm(part, { force: true })
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    await once(target, 'open')
    await pour(lines, target)
    target.end()
    await finished(target)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    if ((error as NodeJS.ErrnoException).syscall !== undefined) {
      throw new StartError(`The export cannot be written: ${(error as Error).message}`, { cause: error })
    }
    throw error
  }
}

async function pour(lines: AsyncIterable<string>, target: Writable): Promise<void> {
  for await (const line of lines) if (!target.write(line)) await once(target, 'drain')
}
