import type { JobName } from '../schemas/jobs.ts'
import { publishBlog } from './publish-blog.ts'
import { refreshRelated } from './refresh-related.ts'
import { sweep } from './sweep.ts'
import type { Worker } from './worker.ts'

/** One worker for every job; a missing one does not compile. */
export const workers: { [N in JobName]: Worker<N> } = {
  'publish-blog': publishBlog,
  'refresh-related': refreshRelated,
  sweep
}
