import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { BlogImportResult, ImportedBlog } from '../../schemas/blog-import.ts'
import { blogFiles, readBlogFile, type FolderEntry } from '../../services/blog-folder.ts'
import { accountPath } from './account-lines.ts'
import { UsageError, text, type Command } from './command.ts'
import type { Operator } from './operator.ts'
import { createProgressBar } from './progress-bar.ts'

/** Blogs in one request; fewer where they bring many pictures. */
const BATCH = 20
const BATCH_BYTES = 24 * 1024 * 1024

type Line = { file: string; result: BlogImportResult['result']; reasons: string[]; warnings: string[] }
type Readable = Extract<FolderEntry, { blog: ImportedBlog }>

export const importBlogs: Command = {
  usage: 'import blogs DIR [--project P] [--account A]',
  summary:
    'Take over a folder of Markdown or HTML files with front matter, and the images beside them; by slug, so again changes nothing',
  options: { project: { type: 'string' }, account: { type: 'string' } },
  async run({ words: [folder], values, operator, tell, note, json }) {
    if (folder === undefined || !(await stat(folder).catch(() => null))?.isDirectory()) {
      throw new UsageError(`${folder ?? 'DIR'} is not a folder.`)
    }
    const files = await blogFiles(folder)
    if (files.length === 0) throw new UsageError(`There is no .md, .markdown or .html file in ${folder}.`)
    const account = text(values, 'account', 'demo')
    const project = text(values, 'project', 'default')
    const service = await operator()
    const bar = createProgressBar(files.length, 'blogs')
    const lines: Line[] = []
    for await (const batch of batches(files)) {
      lines.push(...(await send(service, { account, project, batch })))
      bar.update(lines.length)
    }
    const named = lines.map((line) => ({ ...line, file: path.relative(folder, line.file) }))
    for (const { file, reasons, warnings } of json ? [] : named) {
      for (const reason of reasons) note(`✗ ${file} ${reason}`)
      for (const warning of warnings) note(`! ${file}: ${warning}`)
    }
    const count = (result: Line['result']) => lines.filter((line) => line.result === result).length
    const counts = {
      files: files.length,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      failed: count('failed')
    }
    const warned = lines.filter(({ warnings }) => warnings.length > 0).length
    tell({ ...counts, lines: named }, [
      `${files.length} files: ${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.failed} failed; ${warned} with something to look at.`
    ])
    return counts.failed > 0 ? 1 : 0
  }
}

async function* batches(files: string[]): AsyncGenerator<FolderEntry[]> {
  let batch: FolderEntry[] = []
  let bytes = 0
  const taken = new Set<string>()
  for (const file of files) {
    const entry = withSlugOfItsOwn(await readBlogFile(file), taken)
    batch.push(entry)
    bytes += 'blog' in entry ? (entry.blog.images ?? []).reduce((sum, { base64 }) => sum + base64.length, 0) : 0
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/**
 * Two files of a folder may have the same name but for the date in front; the later one gets its
 * date into the slug. The same folder gives the same slugs again.
 */
function withSlugOfItsOwn(entry: FolderEntry, taken: Set<string>): FolderEntry {
  if ('refused' in entry) return entry
  const { slug } = entry.blog
  const date = entry.blog.publishedAt?.slice(0, 10)
  let own = slug
  for (let n = 1; taken.has(own); n++) own = n === 1 && date !== undefined ? `${slug}-${date}` : `${slug}-${n + 1}`
  taken.add(own)
  return own === slug
    ? entry
    : {
        ...entry,
        blog: { ...entry.blog, slug: own },
        warnings: [...entry.warnings, `another file has the slug ${slug}; this one became ${own}`]
      }
}

async function send(
  service: Operator,
  { account, project, batch }: { account: string; project: string; batch: FolderEntry[] }
): Promise<Line[]> {
  const readable = batch.filter((entry): entry is Readable => 'blog' in entry)
  const { results } =
    readable.length === 0
      ? { results: [] }
      : await service.call<{ results: BlogImportResult[] }>('POST', `${accountPath(account)}/blogs/import`, {
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
