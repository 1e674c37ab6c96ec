import t from 'tap'
import { openSsrfSafeFetch } from '../../ports/outbound/ssrf-safe-fetch/index.ts'
import { runCase } from '../contracts/contract.ts'
import { outboundContract } from '../contracts/outbound.contract.ts'

t.test('the SSRF-safe fetch', async (t) => {
  for (const one of outboundContract) {
    t.test(one.title, async (t) => {
      await runCase(one, async (options) => openSsrfSafeFetch(options))
      t.pass('kept')
    })
  }
})
