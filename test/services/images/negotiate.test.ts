import t from 'tap'
import { negotiateFormat } from '../../../services/images/negotiate.ts'

const photo = { type: 'image/jpeg', pixels: 1e6 }
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

t.test('a browser gets the best format that it names', async (t) => {
  t.equal(negotiateFormat(CHROME, photo), 'avif')
  t.equal(negotiateFormat('image/webp,*/*', photo), 'webp')
  t.equal(negotiateFormat('IMAGE/AVIF', photo), 'avif')
  t.equal(negotiateFormat('image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', photo), 'jpeg')
})

t.test('a client that names no image format gets the original format', async (t) => {
  for (const accept of [undefined, '', '*/*', 'image/*', 'text/html', 'image/avif;q=0, image/webp;q=0']) {
    t.equal(negotiateFormat(accept, photo), 'jpeg', String(accept))
  }
  t.equal(negotiateFormat('*/*', { type: 'image/png', pixels: 1e6 }), 'png')
  t.equal(negotiateFormat(`${'text/html,'.repeat(200)}image/avif`, photo), 'jpeg', 'after 2,000 characters')
})

t.test('the weights of the client outrank smaller formats', async (t) => {
  t.equal(negotiateFormat('image/avif;q=0.5, image/webp;q=0.9, image/jpeg;q=0.1', photo), 'webp')
  t.equal(negotiateFormat('image/avif;q=0.5, image/jpeg', photo), 'jpeg')
  t.equal(negotiateFormat('image/avif; q=0.5 , image/webp ;q=0.5', photo), 'avif')
  t.equal(negotiateFormat('image/avif;q=0, image/webp;q=0.2, image/*;q=0.1', photo), 'webp')
  t.equal(negotiateFormat('image/avif;q=nonsense, image/webp;q=7', photo), 'jpeg')
})

t.test('a PNG is never converted to JPEG automatically', async (t) => {
  t.equal(negotiateFormat('image/jpeg', { type: 'image/png', pixels: 1e6 }), 'png')
})

t.test(
  'WebP is kept because it may be animated, and very large images are not converted to AVIF or WebP',
  async (t) => {
    t.equal(negotiateFormat(CHROME, { type: 'image/webp', pixels: 1e6 }), 'webp')
    t.equal(negotiateFormat(CHROME, { type: 'image/jpeg', pixels: 20e6 }), 'webp')
    t.equal(negotiateFormat(CHROME, { type: 'image/jpeg', pixels: 50e6 }), 'jpeg')
    t.equal(negotiateFormat(CHROME, { type: 'image/avif', pixels: 50e6 }), 'avif')
    t.equal(
      negotiateFormat('image/webp', { type: 'image/avif', pixels: 1e6 }),
      'webp',
      'a client without AVIF gets WebP'
    )
  }
)
