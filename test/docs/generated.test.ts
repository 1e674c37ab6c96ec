import t from 'tap'
import { renderConfigurationPage } from '../../bin/docs/configuration.ts'
import { renderErrorsPage } from '../../bin/docs/errors.ts'
import { renderOpenApiDocument } from '../../bin/docs/openapi.ts'
import { renderVisualCheckPage } from '../../bin/docs/visual-check.ts'
import { ERRORS } from '../../errors.ts'
import { Config } from '../../schemas/config.ts'
import { CHECK_STATUSES } from '../../schemas/visual-check.ts'
import { RULES } from '../../services/visual-checks/rules/index.ts'

t.test('the configuration page lists every setting and marks secrets', async (t) => {
  const lines = renderConfigurationPage().split('\n')
  for (const [name, schema] of Object.entries(Config.properties)) {
    const line = lines.find((text) => text.startsWith(`| \`${name}\` |`))
    t.ok(line !== undefined, name)
    t.equal(line?.includes('**Secret.**'), 'secret' in schema, `${name}: secret`)
  }
})

t.test('the errors page lists every error', async (t) => {
  const page = renderErrorsPage()
  for (const [code, { status }] of Object.entries(ERRORS)) t.ok(page.includes(`| ${status} | \`${code}\` |`), code)
})

t.test('the visual check page lists every finding once with its advice, and every status', async (t) => {
  const page = await renderVisualCheckPage()
  for (const { code, severity } of RULES) {
    t.equal(page.match(new RegExp(`^\\| \`${code}\` \\| ${severity} \\| \\S.* \\| \\S.* \\|$`, 'gm'))?.length, 1, code)
  }
  for (const status of CHECK_STATUSES) t.match(page, `\`${status}\``)
  t.equal(await renderVisualCheckPage(), page, 'the page is reproducible')
})

t.test('the OpenAPI document is reproducible', async (t) => {
  t.equal(await renderOpenApiDocument(), await renderOpenApiDocument())
})
