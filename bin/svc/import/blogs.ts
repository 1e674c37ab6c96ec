import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { BlogImportResult, ImportedBlog } from '../../../schemas/blog-import.ts'
import type { FolderEntry } from '../../../services/blog-folder.ts'
import { accountPath } from '../account.ts'
import type { AdminClient } from '../admin-client.ts'
import { stringOption, UsageError, type RunCommand } from '../command.ts'
import { countOf, createProgressBar } from '../output.ts'
import { summarizeWarnings } from './warnings.ts'

/** Limits of one request: blogs, and characters of texts and base64 images. */
const BATCH_BLOGS = 50
const BATCH_LENGTH = 24 * 1024 * 1024
/** Requests in progress: while the blogs of one are written, those of the next are rendered. */
const REQUESTS = 2

interface FileResult {
  file: string
  result: BlogImportResult['result']
  reasons: string[]
  warnings: string[]
}
type ReadableEntry = Extract<FolderEntry, { blog: ImportedBlog }>

export const importBlogs: RunCommand = async ({
  args: [folder = ''],
  options,
  adminClient,
  stderr,
  print,
  log,
  json
}) => {
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new UsageError(`${folder} is not a folder.`)
  }
  const { blogFiles } = await import('../../../services/blog-folder.ts')
  const files = await blogFiles(folder)
  if (files.length === 0) throw new UsageError(`${folder} contains no .md, .markdown or .html file.`)
  const account = stringOption(options, 'account', 'demo')
  const project = stringOption(options, 'project', 'default')
  const client = await adminClient()
  const bar = createProgressBar(stderr, files.length, 'blog')
  const results: FileResult[] = []
  const send = (batch: FolderEntry[]) => sendBatch(client, { account, project, batch })
  for await (const batch of sendInOrder(readBatches(files, folder), send)) {
    results.push(...batch)
    bar.update(results.length)
  }
  const lines = results.map((result) => ({ ...result, file: path.relative(folder, result.file) }))
  const warnings = lines.flatMap((line) => line.warnings.map((warning) => ({ file: line.file, warning })))
  if (!json) {
    for (const { file, reasons } of lines) for (const reason of reasons) log(`✗ ${file} ${reason}`)
    const all = () => warnings.map(({ file, warning }) => `! ${file}: ${warning}`)
    for (const line of options.verbose === true ? all() : summarizeWarnings(warnings)) log(line)
  }
  const count = (result: FileResult['result']) => results.filter((line) => line.result === result).length
  const counts = {
    files: files.length,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed')
  }
  const warned = results.filter(({ warnings }) => warnings.length > 0).length
  const { created, updated, unchanged, failed } = counts
  const outcome = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`
  print({ ...counts, lines }, [`${countOf(files.length, 'file')}: ${outcome}, ${warned} with warnings.`])
  return failed > 0 ? 1 : 0
}

/** The results of all batches in their order. A few are in progress at the same time. */
async function* sendInOrder<Batch, Result>(
  batches: AsyncIterable<Batch>,
  send: (batch: Batch) => Promise<Result>
): AsyncGenerator<Result> {
  const sent: Promise<Result>[] = []
  for await (const batch of batches) {
    const result = send(batch)
    // Awaited below. Until then, a failure must not end the process.
    result.catch(() => {})
    sent.push(result)
    if (sent.length >= REQUESTS) yield await sent.shift()!
  }
  for (const result of sent) yield await result
}

async function* readBatches(files: string[], folder: string): AsyncGenerator<FolderEntry[]> {
  const { readBlogFile } = await import('../../../services/blog-folder.ts')
  let batch: FolderEntry[] = []
  let length = 0
  const usedSlugs = new Set<string>()
  for (const file of files) {
    const entry = withUniqueSlug(await readBlogFile(file, folder), usedSlugs)
    batch.push(entry)
    length += 'blog' in entry ? lengthOf(entry.blog) : 0
    if (batch.length < BATCH_BLOGS && length < BATCH_LENGTH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

const lengthOf = ({ markdown = '', html = '', images = [] }: ImportedBlog): number =>
  images.reduce((sum, { base64 }) => sum + base64.length, markdown.length + html.length)

/**
 * Files of one folder may differ only in the date of their names. Then the slug of the later file
 * gets that date. The same folder always results in the same slugs.
 */
function withUniqueSlug(entry: FolderEntry, usedSlugs: Set<string>): FolderEntry {
  if ('refused' in entry) return entry
  const { slug } = entry.blog
  const date = entry.blog.publishedAt?.slice(0, 10)
  let unique = slug
  for (let n = 1; usedSlugs.has(unique); n++) {
    unique = n === 1 && date !== undefined ? `${slug}-${date}` : `${slug}-${n + 1}`
  }
  usedSlugs.add(unique)
  return unique === slug
    ? entry
    : {
        ...entry,
        blog: { ...entry.blog, slug: unique },
        warnings: [...entry.warnings, `another file has the slug ${slug}; this file got the slug ${unique}`]
      }
}

async function sendBatch(
  client: AdminClient,
  { account, project, batch }: { account: string; project: string; batch: FolderEntry[] }
): Promise<FileResult[]> {
  const readable = batch.filter((entry): entry is ReadableEntry => 'blog' in entry)
  const { results } =
    readable.length === 0
      ? { results: [] }
      : await client.call<{ results: BlogImportResult[] }>('POST', `${accountPath(account)}/blogs/import`, {
          body: { projectId: project, blogs: readable.map(({ blog }) => blog) }
        })
  const byFile = new Map(readable.map(({ file, warnings }, index) => [file, { result: results[index]!, warnings }]))
  return batch.map((entry) => {
    if ('refused' in entry) return { file: entry.file, result: 'failed', reasons: [entry.refused], warnings: [] }
    const { result, warnings } = byFile.get(entry.file)!
    return {
      file: entry.file,
      result: result.result,
      reasons: result.errors.map(({ pointer, message }) => `${pointer} ${message}`),
      warnings: [...warnings, ...result.warnings]
    }
  })
}
