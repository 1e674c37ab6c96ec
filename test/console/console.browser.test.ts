import { readFileSync } from 'node:fs'
import t from 'tap'
import { startConsole } from '../fixtures/console/index.ts'
import { sessionToken } from '../helper.ts'

t.test('the screens work from sign-in to API keys, and are accessible', { timeout: 600_000 }, async (t) => {
  const { app, page, site, complaints, open, check } = await startConsole(t)
  const linkToken = (await app.services.signInLinks.create('acme'))!

  await t.test('sign in', async (t) => {
    await page.goto(`${app.publicUrl}/console`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await check(t, 'Sign in')
    await page.goto(`${app.publicUrl}/console#/sign-in/${linkToken}`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    t.notMatch(page.url(), linkToken, 'the link is not left in the address')
    await page.getByText('1 of 6 done').waitFor()
    await check(t, 'Home')
  })

  await t.test('write a post with the keyboard, see it rendered, publish it', async (t) => {
    await open('/blogs', 'Blogs')
    await page.getByText('There are no posts here.').waitFor()
    await page.getByRole('button', { name: 'New post' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Title').fill('Spring tea')
    await page.getByRole('dialog').getByLabel('Project').selectOption('shop')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Create draft' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Spring tea' }).waitFor()
    const editor = page.getByRole('textbox', { name: 'Markdown' })
    await editor.focus()
    await page.keyboard.type('Tea of the **first** harvest. <script>alert(1)</script>')
    const preview = page.frameLocator('iframe[title="Preview"]')
    await preview.locator('strong', { hasText: 'first' }).waitFor()
    t.equal(await preview.locator('script', { hasText: 'alert' }).count(), 0)
    await check(t, 'Editor')
    await editor.focus()
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('textbox', { name: 'Title for search results' }).waitFor()
    await check(t, 'Details')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('heading').getByText('Published').waitFor()
    const { list } = await app.services.blogs.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 9 })
    t.match(
      list.blogs.map((body) => JSON.parse(String(body))),
      [{ title: 'Spring tea' }]
    )
    await open('/blogs', 'Blogs')
    await page.getByRole('link', { name: 'Spring tea' }).waitFor()
    await check(t, 'Blogs')
  })

  await t.test('compare the revisions of a post, and restore one with the keyboard', async (t) => {
    await page.getByRole('link', { name: 'Spring tea' }).click()
    const editor = page.getByRole('textbox', { name: 'Markdown' })
    await editor.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Tea of the **second** harvest.\n\nIt is green.')
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Revisions' }).press('Enter')
    await page.getByRole('button', { name: /^Revision 3/ }).waitFor()
    t.equal(await page.locator('.revisions li').count(), 3)
    t.match(await page.getByRole('button', { name: /^Revision 3/ }).textContent(), /Current.*Changed: Text/)
    await page.getByRole('button', { name: /^Revision 2/ }).press('Enter')
    const changes = page.getByRole('region', { name: 'Changes of the field Text' })
    await changes.waitFor()
    t.strictSame(await changes.locator('del mark').allTextContents(), ['first', ' <script>alert(1)</script>'])
    t.equal(await changes.locator('ins').first().textContent(), 'Tea of the **second** harvest.')
    await check(t, 'Revisions')
    await page.getByRole('button', { name: 'What it changed' }).click()
    await changes.getByText('first').waitFor()
    t.equal(await changes.locator('del').count(), 0, 'the text was empty before')
    await check(t, 'Changes of a revision')

    const restore = page.getByRole('button', { name: 'Restore' })
    await editor.focus()
    await page.keyboard.type('!')
    await page.getByText('Save your changes before you restore a revision.').waitFor()
    t.ok(await restore.isDisabled(), 'unsaved changes are not lost')
    await editor.focus()
    await page.keyboard.press('Control+z')
    await page.getByRole('status').getByText('Saved').waitFor()
    await restore.press('Enter')
    await page.getByText('readers see the change at once').waitFor()
    await check(t, 'Restore a revision')
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByText('Revision 2 was restored.').waitFor()
    await page.getByRole('button', { name: /^Revision 4/ }).waitFor()
    t.match(await editor.textContent(), /first.*harvest/)
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Revisions', 'the focus is not lost')
    const blog = await app.inject({
      url: '/api/v1/blogs/spring-tea',
      headers: { authorization: `Bearer ${await sessionToken('acme')}` }
    })
    t.match(blog.json(), { htmlContent: /first/ })
    await open('/blogs', 'Blogs')
  })

  await t.test('import products by dropping a file', async (t) => {
    await open('/products?view=imports', 'Products')
    const rows = ['externalId,title,price', 'tea-1,Green tea,4.50', 'tea-2,,9.00'].join('\n')
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(rows)}], 'tea.csv', { type: 'text/csv' }))
      return data
    })()`)
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: data })
    await page.getByRole('link', { name: /^CSV/ }).click()
    await page.getByRole('heading', { name: 'Bad rows: 1' }).waitFor()
    await page
      .getByRole('cell', { name: /\/title|title/ })
      .first()
      .waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rows to fix' }).click()
    t.match(readFileSync(await (await download).path(), 'utf8'), /tea-2/)
    await check(t, 'Import')
    await open('/products', 'Products')
    await page.getByRole('link', { name: 'Green tea' }).waitFor()
    await check(t, 'Products')
    await page.getByRole('link', { name: 'Green tea' }).click()
    await page.getByRole('textbox', { name: 'Title for search results' }).fill('Green tea of the first harvest')
    await page.getByRole('button', { name: 'Save and lock: Title for search results' }).click()
    await page.getByText('Person: locked, never overwritten').waitFor()
    await check(t, 'Product')
  })

  await t.test('create a webhook, test it, and see a delivery', async (t) => {
    await open('/webhooks', 'Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await page.getByLabel('URL of the receiver').fill(`http://${site.host}/hook`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    t.match(await page.getByLabel('Signing secret').inputValue(), /^whsec_/)
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('Status 200').waitFor()
    // Events of the products may arrive, too.
    const types = site.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    t.ok(types.includes('ping'), types.join())
    await app.services.blogs.create(
      { accountId: 'acme', projectIds: null },
      { projectId: 'shop', title: 'Second', markdown: 'Text', status: 'published' }
    )
    await page.reload()
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor()
    await check(t, 'Webhook')
    await page.getByRole('link', { name: 'blog.published' }).first().click()
    await page.getByText('{"received":true}').waitFor()
    await check(t, 'Delivery')
  })

  await t.test('check a page', async (t) => {
    await open('/checks', 'Visual checks')
    await page.getByRole('link', { name: 'Spring tea' }).click()
    t.match(await page.getByLabel('Address of the page').inputValue(), `http://${site.host}/blog/spring-tea`)
    await page.getByRole('button', { name: 'Start check' }).click()
    await page.getByRole('heading', { name: /^Findings: [1-9]/ }).waitFor({ timeout: 120_000 })
    await page.getByAltText('Screenshot of the page, mobile').waitFor()
    const located = page.locator('.finding').first()
    await located.focus()
    t.equal(await located.getAttribute('aria-pressed'), 'true', 'the focused finding lights up')
    await check(t, 'Check')
    await page.getByRole('link', { name: 'Checks of this post' }).click()
    await page.getByRole('img', { name: /^1 scores/ }).waitFor()
    await check(t, 'Checks of a post')
  })

  await t.test('create a key that works', async (t) => {
    await open('/keys', 'Keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Website')
    await check(t, 'New key')
    await page.getByRole('button', { name: 'Create key' }).click()
    const value = await page.getByLabel('Value of Website').inputValue()
    const read = await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': value } })
    t.equal(read.statusCode, 200)
    await check(t, 'Keys')
  })

  await t.test('see in the audit log who changed what', async (t) => {
    await open('/keys', 'Keys')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    const rows = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr')
    const newest = rows.first()
    await newest.getByText('Created a key').waitFor()
    t.match(await newest.innerText(), /Signed-in user[^]*Created a key[^]*name, scopes[^]*Website[^]*127\.0\.0\.1/)
    await check(t, 'Audit log')

    await page.getByLabel('Action').selectOption('Published a post')
    await newest.getByText('Published a post').waitFor()
    t.equal(await rows.count(), 1)
    const post = rows.getByRole('button', { name: 'Spring tea' })
    await page.getByLabel('Action').selectOption('All actions')
    await newest.getByText('Created a key').waitFor()
    await post.first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('On Spring tea').waitFor()
    await rows.filter({ hasText: 'Created a key' }).waitFor({ state: 'detached' })
    t.ok((await rows.count()) >= 3, 'created, edited and published')
    await check(t, 'Audit log of a post')
    await page.getByRole('button', { name: 'Remove the filter On Spring tea' }).click()
    await rows.getByText('Created a key').waitFor()
    await page.getByLabel('Period').selectOption('Last 24 hours')
    await rows.getByText('Created a key').waitFor()

    const ask = await app.services.apiKeys.create('acme', { name: 'Shop' })
    for (let n = 0; n < 60; n++) {
      await app.inject({
        method: 'POST',
        url: '/api/v1/products',
        headers: { 'x-api-key': ask.key },
        payload: { projectId: 'shop', externalId: `p${n}`, title: `Cup ${n}` }
      })
    }
    await open('/home-page-that-does-not-exist', 'Page not found')
    await open('/audit', 'Audit log')
    await newest.getByText('Cup 59').waitFor()
    t.equal(await rows.count(), 50)
    await page.getByRole('button', { name: 'Load more' }).click()
    await rows.getByText('Created a key').waitFor()
    t.ok((await rows.count()) > 60)
    await rows.first().getByRole('button', { name: 'Shop' }).click()
    await page.getByText('By Shop').waitFor()
    t.match(page.url(), `actor=${ask.id}`)
    await page.reload()
    await page.getByText(`By ${ask.id}`).waitFor()
    await page.getByLabel('Action').selectOption('Deleted a key')
    await page.getByText('There are no changes like this.').waitFor()
    await check(t, 'Audit log without entries')
  })

  t.strictSame(complaints, [], 'no errors, and nothing that the Content Security Policy blocked')
})
