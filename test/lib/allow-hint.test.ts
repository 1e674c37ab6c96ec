import t from 'tap'
import { allowHint } from '../../lib/address-policy/allow-hint.ts'

t.test('a URL of the local machine or of a private address has the setting that allows it', async (t) => {
  for (const [url, place, entry] of [
    ['http://127.0.0.1:7701/journal/tea', 'on your machine', '127.0.0.1:7701'],
    ['http://localhost:4000/', 'on your machine', 'localhost:4000'],
    ['http://shop.localhost./', 'on your machine', 'shop.localhost:80'],
    ['https://localhost/hook', 'on your machine', 'localhost:443'],
    ['http://[::1]:3000/', 'on your machine', '[::1]:3000'],
    ['http://2130706433:8080/', 'on your machine', '127.0.0.1:8080'],
    ['https://10.0.0.8/', 'in your network', '10.0.0.8:443'],
    ['http://192.168.1.20:8080/', 'in your network', '192.168.1.20:8080'],
    ['http://[fd00::2]:8080/', 'in your network', '[fd00::2]:8080']
  ] as const) {
    t.equal(allowHint(url, 'a page'), `For a page ${place}, start the service with OUTBOUND_ALLOW=${entry}.`)
  }
})

t.test('other URLs have no hint', async (t) => {
  for (const url of [
    'https://shop.example:8443/',
    'https://93.184.216.34:22/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0:3000/',
    'https://db.internal/',
    'http://person:secret@127.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'shop.example',
    ''
  ]) {
    t.equal(allowHint(url, 'a page'), null, url)
  }
})
