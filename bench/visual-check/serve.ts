import { serveCorpus } from './corpus-pages.ts'
import { serveOwnPages } from './own-pages.ts'

// A child process: the work and memory of the site must not count as the checker's.
const corpus = process.argv[2]
process.send!(corpus === undefined ? await serveOwnPages() : await serveCorpus(corpus))
