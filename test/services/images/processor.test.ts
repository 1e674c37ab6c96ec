import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { backgroundNiceness } from '../../../lib/priority.ts'
import { crop, encode } from '../../../services/images/encode.ts'
import { inspectImage } from '../../../services/images/inspect.ts'
import { createImageProcessor, type ImageProcessorOptions } from '../../../services/images/processor/index.ts'
import { drawCard } from '../../../services/images/social/card.ts'
import { renderScreenshots, type RenderedScreenshot } from '../../../services/visual-checks/screenshots/index.ts'
import { eventually } from '../../fixtures/webhooks/receiver.ts'
import { animation, photograph } from './sample-images.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../fixtures/image-process.ts')
const INFO = { type: 'image/png', width: 3, height: 2, animated: false, frames: 1, transparent: false, palette: true }
const SECOND = 1_000
const TIMEOUTS_MS = { inspect: 60 * SECOND, screenshots: 60 * SECOND, other: 60 * SECOND }

/** A processor with the reasons for which its processes ended. */
function open(t: Test, options: Partial<ImageProcessorOptions> = {}) {
  const crashes: string[] = []
  const processor = createImageProcessor({ environment: {}, onCrash: (reason) => crashes.push(reason), ...options })
  t.teardown(() => processor.close())
  return { processor, crashes }
}

/** A processor whose process does what the text of an image says. */
const openProgram = (t: Test, options: Partial<ImageProcessorOptions> = {}) =>
  open(t, { program: PROGRAM, timeoutsMs: TIMEOUTS_MS, ...options })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('the process gives the same results as its functions', async (t) => {
  const { processor, crashes } = open(t)
  for (const image of [await photograph(800, 500), await animation('webp', 4, 120)]) {
    const info = await processor.inspect(image)
    t.strictSame(info, await inspectImage(image))
    for (const wanted of [
      { format: 'webp', width: 320 },
      { format: 'jpeg', base: true }
    ] as const) {
      t.strictSame(await processor.encode(image, info, wanted), await encode(image, info, wanted))
    }
    t.strictSame(await processor.crop(image, info), await crop(image, info))
  }
  t.strictSame(
    await processor.drawCard({ title: 'Figs in pots', brand: null }),
    await drawCard({ title: 'Figs in pots', brand: null })
  )
  t.strictSame(crashes, [])
})

t.test('screenshots are rendered as by its function', async (t) => {
  const { processor } = open(t)
  const take = async (kind: 'viewport' | 'page', viewport: 'mobile' | 'desktop', height: number) => ({
    ...{ kind, viewport, width: 400, height, scale: 1 },
    png: await sharp(await photograph(400, height))
      .png()
      .toBuffer()
  })
  const screenshots = [
    await take('viewport', 'mobile', 700),
    await take('page', 'mobile', 900),
    await take('page', 'desktop', 300)
  ]
  for (const detail of ['thumbs', 'full'] as const) {
    const input = { screenshots, findings: [], detail }
    const withoutName = ({ name, ...rest }: RenderedScreenshot) => ({ isName: /^[\w-]{22}\.webp$/.test(name), ...rest })
    const expected: RenderedScreenshot[] = []
    for await (const one of renderScreenshots(input)) expected.push(one)
    t.equal(expected.length, detail === 'thumbs' ? 2 : 5)
    t.strictSame((await processor.renderScreenshots(input)).map(withoutName), expected.map(withoutName))
  }
  const broken = [{ ...screenshots[0]!, png: Buffer.from('text') }]
  await t.rejects(processor.renderScreenshots({ screenshots: broken, findings: [], detail: 'thumbs' }), /unsupported/)
  const program = openProgram(t).processor
  const render = async (change: object) => {
    const sent = { name: 'x.webp', kind: 'thumb', viewport: 'mobile', finding: null, width: 1, height: 1, bytes: 7 }
    const png = Buffer.from(`info ${JSON.stringify([{ ...sent, ...change }])}`)
    return await program.renderScreenshots({ screenshots: [{ ...screenshots[0]!, png }], findings: [], detail: 'full' })
  }
  t.match(await render({ finding: 0 }), [{ name: 'x.webp', finding: 0, bytes: Buffer.from('encoded') }])
  for (const change of [
    { name: '../x.webp' },
    { kind: 'other' },
    { viewport: 'television' },
    { finding: -1 },
    { finding: '0' },
    { width: 0 },
    { bytes: 8 },
    { bytes: 6 }
  ]) {
    await t.rejects(render(change), /invalid/, JSON.stringify(change))
  }
})

t.test('errors of the API reach the caller', async (t) => {
  const { processor } = open(t)
  const photo = await photograph(80, 50)
  const message = /a text file/
  await t.rejects(processor.inspect(Buffer.from('text')), { code: 'malformed_image', statusCode: 400, message })
  const info = await processor.inspect(photo)
  const damaged = processor.encode(photo.subarray(0, 300), info, { format: 'png' })
  await t.rejects(damaged, { code: 'malformed_image', message: /truncated or damaged/ })
  const program = openProgram(t).processor
  const busy = program.inspect(Buffer.from('send {"type":"rejected","id":ID,"code":"busy","message":"later"}'))
  await t.rejects(busy, { code: 'busy', statusCode: 503, options: { headers: { 'Retry-After': '1' } } })
  await t.rejects(program.inspect(Buffer.from('send {"type":"failed","id":ID,"message":"why"}')), /why/)
})

t.test('an image that ends the process fails alone', async (t) => {
  const { processor, crashes } = openProgram(t)
  const neighbors = Array.from({ length: 3 }, () => processor.inspect(Buffer.from('wait 100')))
  const message = /cannot be decoded/
  await t.rejects(processor.inspect(Buffer.from('crash')), { code: 'malformed_image', message })
  t.strictSame(await Promise.all(neighbors), [INFO, INFO, INFO])
  t.strictSame(crashes, ['It ended with SIGSEGV.', 'It ended with SIGSEGV.'], 'together and alone')
  t.strictSame(await processor.inspect(Buffer.from('later')), INFO)
})

t.test('tasks of a process that was killed run again', async (t) => {
  const { processor } = open(t)
  const photo = await photograph(1200, 800)
  const info = await processor.inspect(photo)
  const pid = processor.pid()!
  const encoding = processor.encode(photo, info, { format: 'avif' })
  await wait(20)
  process.kill(pid, 'SIGKILL')
  t.strictSame(await encoding, await encode(photo, info, { format: 'avif' }))
  await processor.inspect(photo)
  t.not(processor.pid(), pid)
})

t.test('a task that takes too long ends its process and no other task', async (t) => {
  const { processor, crashes } = openProgram(t, { timeoutsMs: { ...TIMEOUTS_MS, inspect: SECOND } })
  const neighbor = processor.encode(Buffer.from('wait 2000'), INFO as never, { format: 'png' })
  await t.rejects(processor.inspect(Buffer.from('hang')), { code: 'malformed_image' })
  t.match(await neighbor, { width: 3, height: 2, bytes: Buffer.from('encoded') })
  t.strictSame(crashes, ['A task took longer than 1000 ms.'])
})

t.test('what the process sends is not trusted', async (t) => {
  const { processor, crashes } = openProgram(t)
  await t.rejects(processor.inspect(Buffer.from('write')), { code: 'malformed_image' })
  t.match(crashes, [/at most/, /at most/])
  for (const message of ['{"type":"done","id":7777}', '{"type":"other","id":ID,"message":"x"}', '[]', 'null']) {
    await t.rejects(processor.inspect(Buffer.from(`send ${message}`)), { code: 'malformed_image' }, message)
  }
  for (const info of [
    '{"width":-1}',
    '{"height":1e99}',
    '{"type":"image/svg+xml"}',
    '{"frames":0}',
    '{"animated":1}'
  ]) {
    await t.rejects(processor.inspect(Buffer.from(`info ${info}`)), /invalid/, info)
  }
  t.strictSame(await processor.inspect(Buffer.from('info {"width":9}')), { ...INFO, width: 9 })
})

t.test('an idle process ends, and the next image starts another one', async (t) => {
  const { processor, crashes } = openProgram(t, { idleMs: 50 })
  t.equal(processor.pid(), null, 'none runs before the first image')
  await processor.inspect(Buffer.from(''))
  const pid = processor.pid()!
  await eventually(() => processor.pid() === null && !isAlive(pid), 'the process has ended')
  t.strictSame(await processor.inspect(Buffer.from('wait 200')), INFO, 'a task that takes longer than that')
  t.strictSame(crashes, [])
})

t.test('the process has no settings of the service', { skip: process.platform !== 'linux' }, async (t) => {
  const { processor } = openProgram(t, { environment: { LANG: 'C' } })
  await processor.inspect(Buffer.from(''))
  const names = readFileSync(`/proc/${processor.pid()}/environ`, 'latin1')
    .split('\0')
    .map((entry) => entry.split('=')[0])
  t.strictSame(
    names.filter((name) => !['', 'LANG', 'NODE_COMPILE_CACHE'].includes(name!)),
    []
  )
  const pid = (await openReal(t)).pid()!
  t.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '500')
  t.equal(getPriority(pid), backgroundNiceness())
})

async function openReal(t: Test) {
  const { processor } = open(t)
  await processor.drawCard({ title: '', brand: null })
  return processor
}

t.test('closing ends the process and its tasks', async (t) => {
  const { processor, crashes } = openProgram(t)
  await processor.inspect(Buffer.from(''))
  const pid = processor.pid()!
  const pending = t.rejects(processor.inspect(Buffer.from('hang')), /ended/)
  await processor.close()
  await pending
  t.notOk(isAlive(pid))
  await t.rejects(processor.inspect(Buffer.from('')), /closed/)
  t.strictSame(crashes, [])
})

t.test(
  'without room for another file, images are rejected as busy',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const index = new URL('../../../services/images/processor/index.ts', import.meta.url).href
    const script = `
    import { openSync } from 'node:fs'
    const { createImageProcessor } = await import(${JSON.stringify(index)})
    const processor = createImageProcessor({ environment: {} })
    try {
      for (;;) openSync('/dev/null')
    } catch {}
    const { code } = await processor.inspect(Buffer.from('text')).catch((error) => error)
    setTimeout(() => console.log(code), 100)`
    const limited = ['-c', 'ulimit -n 80 && exec "$0" --input-type=module -e "$1"', process.execPath, script]
    const { stdout } = await promisify(execFile)('sh', limited)
    t.equal(stdout.trim(), 'busy')
  }
)
