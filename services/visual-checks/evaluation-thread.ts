import { serveTasks } from '../../lib/thread-tasks.ts'
import { evaluate } from './evaluate.ts'

/** The tasks of the threads that evaluate pages (evaluator.ts). Their input is untrusted. */
serveTasks({ evaluate })
