import { serveCorpus } from './corpus-pages.ts'
import { serveOwnPages } from './own-pages.ts'

/**
 * The site in a process of its own, so that its work and memory are not counted as the checker's;
 * the pages go out by message.
 */
const corpus = process.argv[2]
process.send!(corpus === undefined ? await serveOwnPages() : await serveCorpus(corpus))
