import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mapConcurrently } from '../../lib/async.ts'
import { parseBlogFile } from '../../services/blog-file.ts'
import { prepareBlog } from '../../services/blogs/new-blog.ts'
import { createRenderer } from '../../services/rendering/index.ts'
import type { Bench } from '../harness/bench.ts'
import { formatNumber } from '../harness/statistics.ts'
import { createFile } from './content.ts'
import { cpuMsOf, peakMbOf, runImport, startServer } from './processes.ts'

/** Posts of an import, with `--scale 1`. */
const POSTS = 10_000
/** Posts of one measurement of rendering alone, and of its warm-up. */
const RENDERED = 2_000
/** Posts that are rendered or wait to be rendered, as during an import. */
const RENDERED_AT_ONCE = 32

export const bench: Bench = {
  summary:
    'Posts per second of `svc import blogs` with Markdown files of 5 KB into a new service in a process of its own, ' +
    'compared with rendering alone in as many threads. Linux only.',
  defaults: { rounds: 1 },
  async run({ rounds, scale }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-import-blogs-'))
    const count = Math.ceil(POSTS * scale)
    try {
      const posts = path.join(folder, 'posts')
      await mkdir(posts)
      for (let index = 0; index < count; index++) await writeFile(path.join(posts, `${index}.md`), createFile(index))
      // The first start of a version stores compiled modules. Compiling them takes memory that later starts do not use.
      await (await startServer(path.join(folder, 'first-start'))).stop()
      const measured: Measured[] = []
      const rendering: number[] = []
      for (let round = 0; round < rounds; round++) {
        measured.push(await importInto(path.join(folder, `data-${round}`), { posts, count }))
        rendering.push(await renderOnly())
      }
      return [
        {
          name: `import of ${formatNumber(count)} posts`,
          unit: 'posts/s',
          values: measured.map(({ rate }) => rate),
          baseline: { name: 'rendering alone', values: rendering },
          extra: measured.at(-1)!.extra
        },
        { name: 'CPU time of the server', unit: 'ms per post', values: measured.map(({ cpuMs }) => cpuMs) },
        { name: 'memory of the server at most', unit: 'MB', values: measured.map(({ peakMb }) => peakMb) }
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

interface Measured {
  rate: number
  /** Of the server, for each post. */
  cpuMs: number
  peakMb: number
  extra: Record<string, string>
}

async function importInto(dataDir: string, { posts, count }: { posts: string; count: number }): Promise<Measured> {
  const server = await startServer(dataDir)
  try {
    const [idleMb, idleCpuMs] = [await peakMbOf(server.pid), await cpuMsOf(server.pid)]
    const { seconds, tenths, cliPeakMb } = await runImport(server, posts)
    const rateOf = (tenth: number | undefined) => `${formatNumber(count / 10 / (tenth ?? Number.NaN))}/s`
    return {
      rate: count / seconds,
      cpuMs: ((await cpuMsOf(server.pid)) - idleCpuMs) / count,
      peakMb: await peakMbOf(server.pid),
      extra: {
        'first tenth': rateOf(tenths[0]),
        'last tenth': rateOf(tenths.at(-1)),
        'memory before': `${formatNumber(idleMb)} MB`,
        'memory of the command': `${formatNumber(cliPeakMb)} MB`
      }
    }
  } finally {
    await server.stop()
  }
}

/** Posts per second that the rendering threads of this process render. */
async function renderOnly(): Promise<number> {
  const renderer = createRenderer({ timeoutMs: 10_000 })
  const inputs = Array.from({ length: RENDERED }, (_, index) => {
    const { input } = parseBlogFile(createFile(index), `${index}.md`)
    return { fields: prepareBlog(`post-${index}`, { ...input, projectId: 'site' }).fields, images: [], publicUrl: '' }
  })
  const renderAll = async () =>
    await mapConcurrently(inputs, RENDERED_AT_ONCE, async (input) => await renderer.composeBlog('bench', input))
  await renderAll()
  const start = performance.now()
  await renderAll()
  return RENDERED / ((performance.now() - start) / 1000)
}
