import t from 'tap'
import { imageFilename } from '../../../services/images/names.ts'

const content = { hash: '0123456789abcdef'.repeat(4), type: 'image/jpeg' }

t.test('the file name of an image has its name and its hash', async (t) => {
  for (const [name, filename] of [
    ['Our Team (2024).JPG', 'our-team-2024-0123456789ab.jpg'],
    ['Crème brûlée.png', 'creme-brulee-0123456789ab.jpg'],
    ['C:\\fakepath\\photo.jpeg', 'photo-0123456789ab.jpg'],
    ['../../etc/passwd', 'passwd-0123456789ab.jpg'],
    ['shell.php.jpg', 'shell-php-0123456789ab.jpg'],
    ['猫の写真.png', 'image-0123456789ab.jpg'],
    ['', 'image-0123456789ab.jpg'],
    ['.htaccess', 'htaccess-0123456789ab.jpg'],
    ['a\0b\r\nc.gif', 'a-b-c-0123456789ab.jpg'],
    ['x'.repeat(500), `${'x'.repeat(80)}-0123456789ab.jpg`]
  ] as const) {
    t.equal(imageFilename(name, content), filename)
    t.match(filename, /^[a-z0-9_][a-z0-9._-]*$/)
  }
  t.match(imageFilename('a', { ...content, type: 'image/webp' }), /\.webp$/)
})
