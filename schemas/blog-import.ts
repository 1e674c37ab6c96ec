import { Type, type Static } from '@sinclair/typebox'
import { BlogInput } from './blog.ts'
import { OneOf, ProjectId } from './fields.ts'
import { FieldProblem } from './problem.ts'

/** Most blogs in one request; a folder of any size is sent in many. */
export const MAX_IMPORT_BLOGS = 100
/** Largest body of such a request, pictures and all. */
export const IMPORT_BODY_BYTES = 64 * 1024 * 1024

const { projectId: _projectId, slug, ...fields } = BlogInput.properties

export const ImportedBlog = Type.Object(
  {
    ...fields,
    slug: Type.String({ ...slug, description: 'What tells whether the blog is there already' }),
    images: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 255 }),
            alt: Type.String({ maxLength: 500 }),
            base64: Type.String()
          },
          { additionalProperties: false }
        ),
        { maxItems: 100, description: 'Pictures that the text speaks of by name' }
      )
    )
  },
  { $id: 'ImportedBlog', additionalProperties: false }
)
export type ImportedBlog = Static<typeof ImportedBlog>

export const BlogImport = Type.Object(
  {
    projectId: ProjectId(),
    blogs: Type.Array(Type.Unknown({ description: 'An ImportedBlog each; one that is not does not stop the others' }), {
      minItems: 1,
      maxItems: MAX_IMPORT_BLOGS
    })
  },
  { $id: 'BlogImport', additionalProperties: false }
)
export type BlogImport = Static<typeof BlogImport>

export const BlogImportResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    slug: Type.Union([Type.String(), Type.Null()]),
    result: OneOf(['created', 'updated', 'unchanged', 'failed']),
    errors: Type.Array(FieldProblem),
    warnings: Type.Array(Type.String())
  },
  { $id: 'BlogImportResult' }
)
export type BlogImportResult = Static<typeof BlogImportResult>
