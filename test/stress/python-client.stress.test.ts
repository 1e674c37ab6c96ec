import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { client, publish, startApp, temporaryFolder } from '../helper.ts'
import { hasPython, pythonEnvironment } from '../servers/index.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/python-client')
const CONFIG = path.resolve(import.meta.dirname, '../../clients/python/config.yml')
const skip = hasPython() ? false : 'needs Python 3.11 or later with venv (Debian: apt-get install python3-venv)'

t.test(
  'a Python client that is generated from the document reads and writes blogs',
  { skip, timeout: 180_000 },
  async (t) => {
    const app = await startApp(t, { DEMO_CONTENT: 'off', HOST: '127.0.0.1', PORT: '0' })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const call = await client(app)
    const { slug } = await publish(call, {
      title: 'Green tea',
      cover: { url: 'https://a.example/tea.jpg', alt: 'Tea' }
    })

    const bin = path.join(pythonEnvironment(path.join(FIXTURES, 'requirements.txt')), 'bin')
    const folder = temporaryFolder(t)
    const document = path.join(folder, 'openapi.json')
    writeFileSync(document, (await app.inject('/openapi.json')).body)
    const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
    const generated = spawnSync(
      path.join(bin, 'openapi-python-client'),
      [
        'generate',
        '--path',
        document,
        '--config',
        CONFIG,
        '--meta',
        'none',
        '--output-path',
        'client',
        '--fail-on-warning'
      ],
      { cwd: folder, env, encoding: 'utf8' }
    )
    t.equal(generated.status, 0, 'the generator understands all of the document')
    t.equal(`${generated.stdout}${generated.stderr}`.trim(), 'Generating client', 'it prints no warnings')

    const program = spawn(
      path.join(bin, 'python3'),
      [path.join(FIXTURES, 'use_client.py'), app.publicUrl, slug, 'site'],
      {
        cwd: folder,
        env: { ...env, PYTHONPATH: folder, SVC_KEY: call.key },
        stdio: ['ignore', 'pipe', 'pipe']
      }
    )
    const [[code], out, err] = await Promise.all([once(program, 'exit'), text(program.stdout), text(program.stderr)])
    t.equal(err, '')
    t.match([code, out], [0, 'Green tea\n'])
  }
)
