import t from 'tap'
import { addressBucket } from '../../../services/auth/client-address.ts'

t.test('every spelling of a client address has the same bucket', async (t) => {
  const same = (a: string, b: string, why: string) => {
    t.equal(addressBucket(a), addressBucket(b), why)
  }
  const other = (a: string, b: string, why: string) => {
    t.not(addressBucket(a), addressBucket(b), why)
  }
  same('203.0.113.9', '::ffff:203.0.113.9', 'IPv4 in IPv6')
  same('203.0.113.9', '::ffff:cb00:7109', 'the same in hexadecimal')
  same('203.0.113.9', '203.0.113.9:51234', 'with a port')
  same('2001:db8:1:2::1', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff', 'the whole /64 of an IPv6 client')
  same('2001:db8:1:2::1', '[2001:db8:1:2::1]:443', 'IPv6 with a port')
  other('2001:db8:1:2::1', '2001:db8:1:3::1', 'the next /64')
  other('203.0.113.9', '203.0.113.10', 'the next address')
  other('203.0.113.9', '2001:db8::cb00:7109', 'IPv6 that resembles a mapped address')
  same('garbage', '', 'an invalid address')
})
