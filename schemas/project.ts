import { Type, type SchemaOptions, type Static } from '@sinclair/typebox'
import { ArticleStyle } from './article-style.ts'
import { Label, Locale, Nullable, OneOf, ProjectId, Ref, Timestamp, Url } from './fields.ts'

const Optimize = (options: SchemaOptions) => OneOf(['auto', 'manual'], options)

export const ProjectSchedule = Type.Object(
  {
    every: Type.String({
      pattern: '^(?:(?:[1-9]|1[0-9]|2[0-3])h|(?:[1-9]|[12][0-9]|30)d)$',
      description: 'The interval: `1h` to `23h`, or `1d` to `30d`',
      examples: ['1d']
    })
  },
  { additionalProperties: false }
)
export type ProjectSchedule = Static<typeof ProjectSchedule>

const settings = {
  name: Label(100, { description: 'The display name' }),
  siteUrl: Nullable(Url(), {
    description: "The URL of the customer's website, used for links in feeds, the sitemap and JSON-LD"
  }),
  blogPath: Type.String({
    pattern: '^(/[A-Za-z0-9._~-]+)*/?$',
    maxLength: 200,
    description: 'The path of the blog on the website. Default: /blog'
  }),
  categoryPath: Nullable(
    Type.String({ pattern: '^/[A-Za-z0-9._~/-]*\\{category\\}[A-Za-z0-9._~/-]*$', maxLength: 200 }),
    {
      description:
        'The path of category pages on the website, for breadcrumbs in JSON-LD. ' +
        'Example: `/journal/category/{category}`. ' +
        '`{category}` is replaced by the category in lower case with hyphens'
    }
  ),
  brandName: Nullable(Type.String({ minLength: 1, maxLength: 100 }), {
    description: 'The publisher in JSON-LD and the brand in page titles'
  }),
  optimize: Optimize({
    description: 'Whether SEO texts of products are generated automatically, or only on request'
  }),
  ...ArticleStyle.properties,
  locale: Nullable(Locale(), {
    description: 'The language of products without a `locale`. null: detected from their texts'
  }),
  visualCheck: Nullable(ProjectSchedule, {
    description:
      'How often the page of each published blog is checked, at `siteUrl` and `blogPath`. ' +
      'The checks are spread over the interval. null: only on request'
  })
}

/** Settings of requests. `optimise` is the spelling of the first version. */
const inputSettings = {
  ...settings,
  optimise: Optimize({ deprecated: true, description: 'Use `optimize`' })
}

export const Project = Type.Object(
  { id: ProjectId(), ...settings, createdAt: Timestamp(), updatedAt: Timestamp() },
  { $id: 'Project' }
)
export type Project = Static<typeof Project>

export const ProjectInput = Type.Object(
  { id: ProjectId(), ...Type.Partial(Type.Object(inputSettings)).properties },
  { $id: 'ProjectInput', additionalProperties: false }
)
export type ProjectInput = Static<typeof ProjectInput>

export const ProjectPatch = Type.Partial(Type.Object(inputSettings), {
  $id: 'ProjectPatch',
  additionalProperties: false,
  minProperties: 1
})
export type ProjectPatch = Static<typeof ProjectPatch>

export const ProjectList = Type.Object({ projects: Type.Array(Ref(Project)) }, { $id: 'ProjectList' })
