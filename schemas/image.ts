import { Type, type Static } from '@sinclair/typebox'
import { Ref } from './fields.ts'

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024
/** Each list of images, and each search for a social image, reads all images of a blog. */
export const MAX_IMAGES_PER_BLOG = 500

export const Image = Type.Object(
  {
    filename: Type.String(),
    url: Type.String(),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    alt: Type.String(),
    bytes: Type.Integer({ minimum: 1 }),
    sizes: Type.Array(Type.Object({ width: Type.Integer(), url: Type.String() }), {
      description: 'The available widths'
    })
  },
  { $id: 'BlogImage' }
)
export type Image = Static<typeof Image>

export const ImageList = Type.Object({ images: Type.Array(Ref(Image)) }, { $id: 'BlogImageList' })
