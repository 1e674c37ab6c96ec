import t from 'tap'
import { negotiateFormat } from '../../../services/images/negotiate.ts'

const photo = { type: 'image/jpeg', pixels: 1e6 }
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

t.test('A browser gets the best format that it says it can show', async (t) => {
  t.equal(negotiateFormat(CHROME, photo), 'avif')
  t.equal(negotiateFormat('image/webp,*/*', photo), 'webp')
  t.equal(negotiateFormat('IMAGE/AVIF', photo), 'avif')
  t.equal(negotiateFormat('image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', photo), 'jpeg')
})

t.test('A client that says nothing of formats gets the picture as it is', async (t) => {
  for (const accept of [undefined, '', '*/*', 'image/*', 'text/html', 'image/avif;q=0, image/webp;q=0']) {
    t.equal(negotiateFormat(accept, photo), 'jpeg', String(accept))
  }
  t.equal(negotiateFormat('*/*', { type: 'image/png', pixels: 1e6 }), 'png')
})

t.test('What the client likes better comes before what is smaller', async (t) => {
  t.equal(negotiateFormat('image/avif;q=0.5, image/webp;q=0.9, image/jpeg;q=0.1', photo), 'webp')
  t.equal(negotiateFormat('image/avif;q=0.5, image/jpeg', photo), 'jpeg')
  t.equal(negotiateFormat('image/avif; q=0.5 , image/webp ;q=0.5', photo), 'avif')
  t.equal(negotiateFormat('image/avif;q=0, image/webp;q=0.2, image/*;q=0.1', photo), 'webp')
  t.equal(negotiateFormat('image/avif;q=nonsense, image/webp;q=7', photo), 'jpeg')
})

t.test('A PNG is never turned into JPEG by itself', async (t) => {
  t.equal(negotiateFormat('image/jpeg', { type: 'image/png', pixels: 1e6 }), 'png')
})

t.test('A WebP, which may move, stays one; an enormous picture does not become AVIF by itself', async (t) => {
  t.equal(negotiateFormat(CHROME, { type: 'image/webp', pixels: 1e6 }), 'webp')
  t.equal(negotiateFormat(CHROME, { type: 'image/jpeg', pixels: 50e6 }), 'webp')
  t.equal(negotiateFormat(CHROME, { type: 'image/avif', pixels: 50e6 }), 'avif')
  t.equal(
    negotiateFormat('image/webp', { type: 'image/avif', pixels: 1e6 }),
    'webp',
    'but who cannot show AVIF gets WebP'
  )
})
