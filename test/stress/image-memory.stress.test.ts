import { readdirSync, readFileSync } from 'node:fs'
import { ReadableStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../helper.ts'
import { createSvc, startServer } from '../processes.ts'

const MB = 1024 * 1024
const UPLOADS = 40
const CHUNK_BYTES = 256 * 1024
const SAMPLE_MS = 50
const MAX_UPLOAD_RESIDENT_MB = 600
const IMAGE_MEMORY_MB = 1024
/** Files that are read or sent, and memory that the allocator has not returned yet. */
const OVERHEAD_MB = 150
/** Generous: the machine may be busy with other tests. */
const MAX_NEIGHBOR_MS = 3000

/** The resident memory of a process and all its descendants in bytes. Processes may end meanwhile. */
function residentBytes(pid: number): number {
  try {
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    )
    return Number(rss ?? 0) * 1024 + children.reduce((sum, child) => sum + residentBytes(child), 0)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

async function* chunksOf(parts: Buffer[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES)
  }
}

/** Two accounts; `measure` observes the memory of the server and the requests of the second one. */
async function start(t: Test) {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const createKey = async (account: string) => {
    const { out } = await svc('keys', 'create', '--name', 'Key', '--account', account)
    await svc('account', 'set-limits', account, '--requests-per-hour', '1000000')
    return { 'x-api-key': out.trim() }
  }
  const [headers, neighbor] = [await createKey('acme'), await createKey('neighbor')]
  const server = await startServer(t, data, { LOG_LEVEL: 'error', IMAGE_MEMORY_MB: String(IMAGE_MEMORY_MB) })
  const created = await fetch(`${server.url}/api/v1/blogs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'site', title: 'Images', markdown: 'Text', status: 'published' })
  })
  t.equal(created.status, 201)
  const { id } = (await created.json()) as { id: string }

  /** Sends the parts in small chunks, so that this process does not copy the files of all uploads. */
  async function upload(parts: Buffer[], name: string, type: string): Promise<{ status: number; url: string }> {
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: ReadableStream.from(chunksOf(parts)),
      duplex: 'half'
    }
    const response = await fetch(`${server.url}/api/v1/blogs/${id}/images?filename=${name}`, init as RequestInit)
    return { status: response.status, ...((await response.json()) as { url: string }) }
  }

  /** Runs `work`. Returns its result, the peak of the resident memory, and the delays of the neighbor. */
  async function measure<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: number; delays: number[] }> {
    const running = { isDone: false }
    let peak = 0
    const delays: number[] = []
    const sampler = setInterval(() => {
      peak = Math.max(peak, residentBytes(server.child.pid!))
    }, SAMPLE_MS)
    const observe = async () => {
      do {
        const startedMs = performance.now()
        const response = await fetch(`${server.url}/api/v1/blogs`, { headers: neighbor })
        await response.arrayBuffer()
        if (response.status !== 200) t.fail(`the neighbor got ${response.status}`)
        delays.push(performance.now() - startedMs)
        await wait(SAMPLE_MS)
      } while (!running.isDone)
    }
    const observed = observe()
    try {
      const value = await work()
      return { value, peakMb: Math.round(Math.max(peak, residentBytes(server.child.pid!)) / MB), delays }
    } finally {
      running.isDone = true
      await observed
      clearInterval(sampler)
    }
  }
  const loadsDecoders = () => readFileSync(`/proc/${server.child.pid}/maps`, 'utf8').includes('vips')
  return { upload, measure, loadsDecoders, residentMb: () => residentBytes(server.child.pid!) / MB }
}

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a5' }, limitInputPixels: false })

t.test('parallel uploads wait on disk', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  const { upload, measure, loadsDecoders } = await start(t)
  // Not compressed, so that a file near the limit of 20 MB has few pixels.
  const image = await flat(2520, 2520).png({ compressionLevel: 0 }).toBuffer()
  t.ok(image.length > 19_000_000)
  const { value, peakMb, delays } = await measure(() =>
    Promise.all(
      Array.from({ length: UPLOADS }, (_, index) =>
        upload([image, Buffer.from(`${index}`)], `${index}.png`, 'image/png')
      )
    )
  )
  t.comment(`${UPLOADS} uploads: at most ${peakMb} MB; neighbor: at most ${Math.round(Math.max(...delays))} ms`)
  t.same(
    value.filter(({ status }) => status !== 201),
    []
  )
  t.ok(peakMb < MAX_UPLOAD_RESIDENT_MB, `${peakMb} MB`)
  t.notOk(loadsDecoders(), 'the service itself decodes no image')
  t.ok(Math.max(...delays) < MAX_NEIGHBOR_MS)
})

t.test(
  'the largest images stay within IMAGE_MEMORY_MB',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const { upload, measure, residentMb } = await start(t)
    const large: [name: string, type: string, bytes: Buffer][] = [
      [
        'rotated.jpg',
        'image/jpeg',
        await flat(9990, 10_000)
          .withMetadata({ orientation: 6 })
          .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
          .toBuffer()
      ],
      ['plain.png', 'image/png', await flat(9990, 10_000).png({ compressionLevel: 1 }).toBuffer()],
      ['large.avif', 'image/avif', await flat(5000, 7990).avif({ effort: 0 }).toBuffer()]
    ]
    const baseMb = residentMb()
    const urls: string[] = []
    for (const [name, type, bytes] of large) {
      const { value, peakMb } = await measure(() => upload([bytes], name, type))
      t.comment(`${name}: at most ${peakMb} MB, ${Math.round(baseMb)} MB before`)
      t.equal(value.status, 201, name)
      t.ok(peakMb < baseMb + IMAGE_MEMORY_MB + OVERHEAD_MB, `${name}: ${peakMb} MB`)
      urls.push(value.url)
    }
    const { value, peakMb, delays } = await measure(() =>
      Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const width = [320, 640, 960, 1280][index >> 1]
          const response = await fetch(`${urls[index % 2]}?w=${width}&format=avif`)
          await response.arrayBuffer()
          return response.status
        })
      )
    )
    t.comment(`8 AVIF variants: at most ${peakMb} MB; neighbor: at most ${Math.round(Math.max(...delays))} ms`)
    t.same(value, Array(8).fill(200))
    t.ok(peakMb < baseMb + IMAGE_MEMORY_MB + OVERHEAD_MB, `${peakMb} MB`)
    t.ok(Math.max(...delays) < MAX_NEIGHBOR_MS)
  }
)
