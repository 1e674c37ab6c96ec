import type { Store } from '../../ports/store/port.ts'
import type { ImageLibrary } from '../image-library.ts'
import type { BlogChanges } from './changes.ts'

/**
 * What the parts of the blog service share. `publicUrl` is asked for at each use, because with
 * PORT=0 it is known only once the server listens.
 */
export interface BlogParts {
  store: Store
  images: ImageLibrary
  changes: BlogChanges
  publicUrl: () => string
}
