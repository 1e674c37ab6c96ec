import sharp from 'sharp'
import t from 'tap'
import { verifyWebhook } from '../../clients/typescript/src/index.ts'
import { startConsole } from '../fixtures/console/index.ts'
import { client, sessionToken } from '../helper.ts'

/** A picture in one color, as a program of the page that makes a `DataTransfer` with it. */
async function droppedPicture(filename: string, background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
    .png()
    .toBuffer()
  return `(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (character) => character.charCodeAt(0))
    data.items.add(new File([bytes], '${filename}', { type: 'image/png' }))
    return data
  })()`
}

t.test('people sign in with an API key, and change what the console shows', { timeout: 600_000 }, async (t) => {
  const { app, page, site, complaints, open, check } = await startConsole(t)
  const call = await client(app, 'acme', { name: 'Editor', scopes: ['blogs:read', 'blogs:write', 'images:read'] })
  const dialog = page.getByRole('dialog')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })

  await t.test('an API key opens what its scopes allow', async (t) => {
    await page.goto(`${app.publicUrl}/console`)
    const credential = page.getByLabel('Session token or API key')
    await credential.fill('blog_live_wrong')
    await credential.press('Enter')
    await page.getByRole('alert').waitFor()
    t.equal(await page.getByRole('alert').textContent(), 'The credential is invalid or expired.')
    await check(t, 'Sign in with an unknown key')
    t.ok(complaints.length > 0 && complaints.every((text) => text.includes('401')), complaints.join('\n'))
    complaints.length = 0

    await credential.fill(call.key)
    await credential.press('Enter')
    await page.getByText('You are signed in with an API key.').waitFor()
    complaints.length = 0 // The events of failures need a scope of their own.
    await open('/keys', 'Keys')
    await page.getByText('API keys are managed with a session token.').waitFor()
    await check(t, 'Keys for an API key')
    await open('/blogs', 'Blogs')
    await page.getByText('There are no posts here.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await credential.waitFor()
    await credential.fill(await sessionToken('acme'))
    await credential.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Blogs' }).waitFor()
    t.equal(await page.evaluate('localStorage.length'), 0, 'the credential is not kept beyond the tab')
  })

  await t.test('add pictures by dropping them, insert and delete them', async (t) => {
    const draft = await call('POST', '/api/v1/blogs', { projectId: 'shop', title: 'Cups', markdown: 'About cups.\n' })
    await open(`/blogs/${draft.json().id}?tab=images`, 'Cups')
    await page.getByText('This post has no pictures yet.').waitFor()
    await check(t, 'Pictures, none')
    const blue = await page.evaluateHandle(await droppedPicture('blue cup.png', '#2255cc'))
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: blue })
    await page.getByText('640 × 360').waitFor()
    const shown = page.locator('.pictures img')
    await shown.waitFor()
    await page.evaluate("document.querySelector('.pictures img').decode()")
    t.equal(await page.evaluate("document.querySelector('.pictures img').naturalWidth"), 320, 'a smaller variant')
    const editor = page.getByRole('textbox', { name: 'Markdown' })
    t.match(await editor.textContent(), /!\[\]\(blue-cup-[0-9a-f]+\.png\)/, 'inserted into the text')
    const remove = page.getByRole('button', { name: /^Delete red-/ })
    const red = await page.evaluateHandle(await droppedPicture('red.png', '#cc2222'))
    await editor.dispatchEvent('drop', { dataTransfer: red })
    await remove.waitFor()
    t.equal(await shown.count(), 2)
    await check(t, 'Pictures')
    await page.getByRole('button', { name: /^Insert red-/ }).click()
    await page.keyboard.type('A red cup')
    t.match(await editor.textContent(), /!\[A red cup\]\(red-/, 'the description is selected')
    await page.getByText('2 pictures without a description').waitFor()
    t.equal((await editor.textContent())!.match(/\(red-/g)!.length, 2)
    await editor.focus()
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    const preview = page.frameLocator('iframe[title="Preview"]')
    await preview.locator('img').nth(2).waitFor()
    await page.getByRole('button', { name: 'Pictures' }).click()
    await remove.click()
    await check(t, 'Delete a picture')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await remove.waitFor({ state: 'detached' })
    t.equal(await shown.count(), 1)

    const text = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['not a picture'], 'notes.png', { type: 'image/png' }))
      return data
    })()`)
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: text })
    await page.getByRole('alert').waitFor()
    t.match(await page.getByRole('alert').textContent(), /not a picture|JPEG|image/i)
    complaints.length = 0
  })

  await t.test('unsaved changes stay in another view of the post, and leaving it asks', async (t) => {
    const editor = page.getByRole('textbox', { name: 'Markdown' })
    const questions: string[] = []
    let isDiscarding = false
    page.on('dialog', async (question) => {
      questions.push(question.message())
      await (isDiscarding ? question.accept() : question.dismiss())
    })
    await editor.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Not saved yet.')
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('textbox', { name: 'Excerpt' }).waitFor()
    t.strictSame(questions, [], 'a view is no other page')
    const asked = page.waitForEvent('dialog')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await asked
    t.strictSame(questions, ['Discard your unsaved changes?'])
    await page.getByRole('heading', { level: 1, name: 'Cups' }).waitFor()
    t.match(await editor.textContent(), /Not saved yet\./)
    isDiscarding = true
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    t.equal(questions.length, 2)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Cups' }).waitFor()
    t.notMatch(await editor.textContent(), /Not saved yet\./)
  })

  await t.test('schedule a post, cancel it, publish, rename, unpublish and delete it', async (t) => {
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const at = dialog.getByLabel('Publish at')
    await at.fill('2020-01-01T08:00')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByText('Choose a time in the future.').waitFor()
    await check(t, 'Schedule')
    await at.fill(`${new Date().getFullYear() + 1}-01-01T08:00`)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('heading').getByText('Scheduled').waitFor()
    t.equal((await call('GET', '/api/v1/blogs/cups')).statusCode, 404, 'readers do not see it yet')
    await page.getByRole('button', { name: 'Cancel schedule' }).click()
    await dialog.getByRole('button', { name: 'Cancel schedule' }).click()
    await page.getByRole('heading').getByText('Draft').waitFor()
    await page.getByRole('textbox', { name: 'Markdown' }).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Saved with its publication.')
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByRole('heading').getByText('Published').waitFor()
    t.match((await call('GET', '/api/v1/blogs/cups')).json(), { htmlContent: /Saved with its publication\./ })
    t.equal(await page.getByRole('link', { name: 'View page' }).getAttribute('href'), `http://${site.host}/blog/cups`)

    await page.getByRole('button', { name: 'Slugs' }).click()
    await page.getByText('No address of this post redirects.').waitFor()
    await page.getByLabel('Slug').fill('tea-cups')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByText('cups → tea-cups').waitFor()
    await check(t, 'Slugs')
    t.equal((await call('GET', '/api/v1/blogs/cups')).statusCode, 308)

    await page.getByRole('button', { name: 'Unpublish' }).click()
    await dialog.getByRole('button', { name: 'Unpublish' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    t.equal((await call('GET', '/api/v1/blogs/tea-cups')).statusCode, 404)
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
    await check(t, 'Delete a post')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Blogs' }).waitFor()
    await page.getByText('There are no posts here.').waitFor()
  })

  await t.test('create a project, change its settings, and delete it', async (t) => {
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await check(t, 'Projects')
    await page.getByRole('button', { name: 'New project' }).click()
    await dialog.getByLabel('Id').fill('cups')
    await dialog.getByLabel('Name').fill('Cup shop')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('link', { name: 'Cup shop' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cup shop' }).waitFor()
    await page.getByLabel('Website').fill('https://cups.example')
    await page.getByLabel('Path of the blog').fill('journal')
    await page.getByLabel('Visual checks').selectOption('Every day')
    await page.getByLabel('Color of links').fill('#0a6cff')
    await page.getByText('Not saved').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    t.match(await page.getByRole('alert').textContent(), /blogPath/)
    complaints.length = 0
    await page.getByLabel('Path of the blog').fill('/journal')
    await check(t, 'Settings of a project')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const { projects } = (
      await app.inject({ url: '/api/projects', headers: { authorization: `Bearer ${await sessionToken('acme')}` } })
    ).json()
    t.match(projects[0], {
      id: 'cups',
      siteUrl: 'https://cups.example',
      blogPath: '/journal',
      visualCheck: { every: '1d' },
      accentColor: '#0a6cff'
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await page.getByRole('link', { name: 'Cup shop' }).waitFor({ state: 'detached' })
  })

  await t.test('import a file whose columns have names of their own', async (t) => {
    await open('/products?view=imports', 'Products')
    await page.getByLabel('Project').selectOption('shop')
    const file = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      const rows = 'Item name,Unit cost,Notes,SKU\\nRed cup,4.50,Holds 300 ml,cup-1\\n'
      data.items.add(new File([rows.replace('\\\\n', '\\n')], 'stock.csv', { type: 'text/csv' }))
      return data
    })()`)
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: file })
    await dialog.getByRole('heading', { name: 'Choose the columns' }).waitFor()
    complaints.length = 0
    t.equal(await dialog.getByLabel('External id (required)').inputValue(), 'SKU', 'proposed by its name')
    t.equal(await dialog.getByLabel('Title (required)').inputValue(), 'Item name')
    await check(t, 'Choose the columns')
    await dialog.getByLabel('Title (required)').selectOption('None')
    t.ok(await dialog.getByRole('button', { name: 'Import' }).isDisabled())
    await dialog.getByLabel('Title (required)').selectOption('Item name')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('link', { name: /^CSV/ }).waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    const { products } = await app.services.products.list(
      { accountId: 'acme', projectIds: null },
      { page: 1, pageSize: 9 }
    )
    t.match(products, [
      { externalId: 'cup-1', title: 'Red cup', price: { rawJSON: '4.50' }, description: 'Holds 300 ml' }
    ])
  })

  await t.test('rotate the secret of a webhook, recover its events, disable and delete it', async (t) => {
    await open('/webhooks', 'Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await page.getByLabel('URL of the receiver').fill(`http://${site.host}/hook`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const former = await page.getByLabel('Signing secret').inputValue()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await dialog.getByLabel('Overlap').selectOption('1 hour')
    await check(t, 'Rotate a secret')
    await dialog.getByRole('button', { name: 'Create secret' }).click()
    const next = await dialog.getByLabel('New signing secret').inputValue()
    t.not(next, former)
    await dialog.getByRole('button', { name: 'Send a test event' }).click()
    await dialog.getByText('Status 200').waitFor()
    await check(t, 'Rotate a secret, the last step')
    const { headers, body } = site.received.findLast(({ body: text }) => JSON.parse(text).type === 'ping')!
    const all = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    for (const secret of [former, next]) {
      t.match(await verifyWebhook(body, all, secret), { type: 'ping' }, 'signed with both secrets')
    }
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await page.getByText('The old secret is valid until').waitFor()

    await page.getByRole('button', { name: 'Recover' }).click()
    await check(t, 'Recover')
    await dialog.getByRole('button', { name: 'Recover' }).click()
    await dialog.getByText(/^Done: \d+ of \d+ deliveries are sent again\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('heading').getByText('Disabled').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('heading').getByText('Enabled').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no webhooks yet.').waitFor()
  })

  await t.test('rotate, disable and delete an API key', async (t) => {
    const read = async (key: string) =>
      (await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': key } })).statusCode
    await open('/keys', 'Keys')
    await page.getByRole('button', { name: 'Rotate Editor' }).click()
    await check(t, 'Rotate a key')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const value = await page.getByLabel('Value of Editor').inputValue()
    t.strictSame([await read(call.key), await read(value)], [401, 200])
    await page.getByRole('button', { name: 'Disable Editor' }).click()
    await row('Editor').getByText('Disabled', { exact: true }).waitFor()
    t.equal(await read(value), 401)
    await page.getByRole('button', { name: 'Enable Editor' }).click()
    await row('Editor').getByText('Active', { exact: true }).waitFor()
    t.equal(await read(value), 200)
    await page.getByRole('button', { name: 'Delete Editor' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no API keys yet.').waitFor()
    t.equal(await read(value), 401)
  })

  await t.test('check all pages of a project', async (t) => {
    for (const title of ['First', 'Second']) {
      const access = { accountId: 'acme', projectIds: null }
      await app.services.blogs.create(access, { projectId: 'shop', title, markdown: 'Text', status: 'published' })
    }
    await open('/checks', 'Visual checks')
    const checkAll = page.getByRole('button', { name: 'Check all pages' })
    await page.getByLabel('Project').selectOption('All projects')
    t.ok(await checkAll.isDisabled(), 'which pages is not known without a project')
    await page.getByLabel('Project').selectOption('shop')
    await checkAll.click()
    await page.getByText('2 of 2 pages').waitFor({ timeout: 240_000 })
    await row('First').getByText(`http://${site.host}/blog/first`).waitFor()
    await row('Second').getByText(`http://${site.host}/blog/second`).waitFor()
    await check(t, 'Checks of all pages')
  })

  await t.test('a new account is led to its first project', async (t) => {
    await app.services.accounts.ensure('newcomer')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Session token or API key').fill(await sessionToken('newcomer'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    for (const [path, heading] of [
      ['/products', 'Products'],
      ['/checks', 'Visual checks'],
      ['/blogs', 'Blogs']
    ] as const) {
      await open(path, heading)
      await page.getByText('There are no projects yet.').waitFor()
      await check(t, `${heading} of a new account`)
    }
    await page.getByRole('button', { name: 'New post' }).click()
    await check(t, 'New post without a project')
    await dialog.getByRole('link', { name: 'Create a project' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    t.equal(await dialog.count(), 0)
  })

  t.strictSame(complaints, [], 'no errors, and nothing that the Content Security Policy blocked')
})
