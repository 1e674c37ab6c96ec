import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { StartError } from '../../../errors.ts'
import { findChromium, usualPaths } from '../../../ports/browser/playwright/child/find-chromium.ts'
import { FLAGS, launchChromium } from '../../../ports/browser/playwright/child/launch.ts'
import { openEgressProxy } from '../../../ports/browser/playwright/child/egress-proxy/index.ts'
import { temporaryFolder } from '../../helper.ts'
import { leftOf } from './processes.ts'

t.test('only the configured browser is used', async (t) => {
  const folder = temporaryFolder(t)
  const named = path.join(folder, 'my-chromium')
  await writeFile(named, '#!/bin/sh\n')
  for (const wrong of [named, folder, path.join(folder, 'nothing')]) {
    const outcome = await findChromium({ path: wrong }).catch((error: unknown) => error)
    t.ok(
      outcome instanceof StartError && outcome.message.includes('CHROMIUM_PATH') && outcome.message.includes(wrong),
      String(outcome)
    )
  }
  await chmod(named, 0o755)
  t.same(await findChromium({ path: named }), { executablePath: named, source: 'setting' })
})

t.test('a browser of the system is preferred to the bundled one', async (t) => {
  const installed = path.join(temporaryFolder(t), 'chromium')
  await writeFile(installed, '#!/bin/sh\n', { mode: 0o755 })
  const found = await findChromium({ places: ['/nowhere/chromium', installed] })
  if (found.source !== 'playwright') t.same(found, { executablePath: installed, source: 'system' })
  t.not((await findChromium({ path: '', places: [] })).source, 'setting', 'an empty setting names nothing')
  t.ok(usualPaths('linux').includes('/usr/bin/chromium'))
  t.ok(usualPaths('darwin').includes('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'))
  t.ok(usualPaths('win32').some((place) => place.endsWith('Google\\Chrome\\Application\\chrome.exe')))
})

t.test('the browser starts with its protections and leaves no processes or files', async (t) => {
  const way = await openEgressProxy({ allow: '' })
  t.teardown(() => way.close())
  const found = await findChromium({})
  const { browser, pid, kill } = await launchChromium({ ...found, proxyUrl: way.url, sandbox: false })
  t.match(browser.version(), /^\d+\./)
  // Chromium does not start with its sandbox as root.
  if (process.getuid?.() === 0) {
    await t.rejects(launchChromium({ ...found, proxyUrl: way.url, sandbox: true }), { name: 'SandboxError' })
  }
  // Linux alone tells with what a process was started.
  if (process.platform === 'linux') {
    const given = (await readFile(`/proc/${pid}/cmdline`, 'latin1')).split('\0')
    for (const wanted of [...FLAGS, `--proxy-server=${way.url}`]) t.ok(given.includes(wanted), wanted)
    t.ok(
      given.some((flag) => flag.startsWith('--proxy-bypass-list=') && flag.includes('<-loopback>')),
      'localhost goes through the proxy too'
    )
    t.notOk(
      given.some((flag) =>
        /disable-web-security|site-isolation|single-process|disable-popup-blocking|remote-debugging-port/.test(flag)
      ),
      'what protects us from pages, and pages from each other, stays on'
    )
  }
  await kill()
  await kill()
  t.notOk(browser.isConnected())
  t.same(await leftOf(pid as number), [])
  await t.rejects(
    launchChromium({ executablePath: '/bin/false', proxyUrl: way.url, sandbox: false }),
    'what is no browser is not taken for one'
  )
})
