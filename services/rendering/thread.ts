import { serveTasks } from '../../lib/thread-tasks.ts'
import { composeBlog } from '../blogs/compose.ts'
import { loadAll } from '../blogs/content/lazy-libraries.ts'

/** The tasks of rendering threads. Their input is untrusted; none of them reads or writes anything. */
export const TASKS = {
  composeBlog
}

export type Tasks = typeof TASKS

// Before the first task, so that loading does not count as its computing time.
loadAll()
serveTasks(TASKS)
