import t from 'tap'
import { isNewerVersion, VERSION } from '../../lib/version.ts'

t.test('versions are compared by their numbers', async (t) => {
  const ordered = ['0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0-beta.1', '1.9.9', '1.10.0', '10.0.0']
  for (const [index, version] of ordered.entries()) {
    for (const [other, older] of ordered.entries()) {
      t.equal(isNewerVersion(version, older), index > other, `${version} ${older}`)
    }
  }
  t.notOk(isNewerVersion('1.0.0-beta.1', '1.0.0'))
  t.match(VERSION, /^\d+\.\d+\.\d+/)
})
