import { Type, type Static } from '@sinclair/typebox'
import { PLAN_NAMES } from './account.ts'
import { OneOf } from './fields.ts'

/** All settings. They are read from the environment and from `.env`. Values of `secret: true` are masked. */
export const Config = Type.Object(
  {
    HOST: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'The address to listen on. Use 0.0.0.0 in a container'
    }),
    PORT: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65535,
      description: 'The port to listen on. 0 selects a free port'
    }),
    PUBLIC_URL: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The public base URL of the service, without a trailing slash. Default: built from HOST and PORT. ' +
          'Required with a ROLE other than all'
      })
    ),
    SHUTDOWN_DELAY_MS: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description:
          'Milliseconds after SIGTERM in which the process is not ready and still serves requests, ' +
          'so that load balancers stop using it. ' +
          'Default: 5000 with MONGODB_URL, unless ROLE is `worker`; otherwise 0'
      })
    ),
    DATA_DIR: Type.String({
      default: './data',
      minLength: 1,
      description: 'The folder of the embedded store, of files and of generated secrets'
    }),
    MONGODB_URL: Type.Optional(
      Type.String({
        pattern: '^mongodb(\\+srv)?://',
        secret: true,
        description: 'Stores all data in MongoDB instead of DATA_DIR'
      })
    ),
    STORE_TIMEOUT_MS: Type.Integer({
      default: 5000,
      minimum: 100,
      maximum: 60_000,
      description:
        'Milliseconds after which an operation fails if MongoDB does not respond. ' +
        'Slow operations go on for up to 60 seconds while MongoDB responds to others'
    }),
    REDIS_URL: Type.Optional(
      Type.String({
        pattern: '^rediss?://',
        secret: true,
        description: 'Stores queues and rate limits in Redis instead of in the process'
      })
    ),
    REDIS_PREFIX: Type.String({
      default: 'svc',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'The prefix of all Redis keys. Deployments that share a Redis need different prefixes'
    }),
    ROLE: OneOf(['all', 'api', 'worker'], {
      default: 'all',
      description: 'What this process does. `api` and `worker` require MONGODB_URL and REDIS_URL'
    }),
    WORKERS: Type.String({
      default: '',
      description: 'The jobs that this process runs, separated by commas. Default: all jobs'
    }),
    WORKER_CONCURRENCY: Type.String({
      default: '',
      description:
        'How many runs of a job may be active at a time: in this process, and of one account in all processes. ' +
        'Jobs separated by commas, such as `import-products=4/2,deliver-webhooks=200/50`. ' +
        'Default for jobs that are not named: see docs/operating.md'
    }),
    WORKER_SLICE_SECONDS: Type.Number({
      default: 1,
      minimum: 0.1,
      maximum: 2,
      description: 'Seconds after which a long job lets the jobs of other accounts run before it continues'
    }),
    SESSION_SECRET: Type.Optional(
      Type.String({
        minLength: 32,
        secret: true,
        description:
          'The HS256 secret of session tokens, at least 32 bytes. ' +
          'Generated in DATA_DIR if neither MONGODB_URL nor SESSION_JWKS_URL is set'
      })
    ),
    SESSION_JWKS_URL: Type.Optional(
      Type.String({
        format: 'http-url',
        description: 'The URL of the JSON Web Key Set of the identity provider, for asymmetric session tokens'
      })
    ),
    SESSION_ISSUER: Type.Optional(Type.String({ minLength: 1, description: 'The required `iss` of session tokens' })),
    SESSION_AUDIENCE: Type.Optional(Type.String({ minLength: 1, description: 'The required `aud` of session tokens' })),
    SECRETS_KEY: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=(\\s*,\\s*[A-Za-z0-9+/]{43}=)*$',
        secret: true,
        description:
          'The key that encrypts stored secrets: 32 bytes in base64. ' +
          'Generated in DATA_DIR if MONGODB_URL is not set. ' +
          'For a rotation, several keys separated by commas: the first one encrypts, all of them decrypt'
      })
    ),
    DEFAULT_PLAN: OneOf(PLAN_NAMES, {
      default: 'starter',
      description: 'The plan of new accounts'
    }),
    DEMO_CONTENT: OneOf(['auto', 'off'], {
      default: 'auto',
      description: '`auto` adds a demo account with content to an empty embedded store'
    }),
    ADDRESS_REQUESTS_PER_HOUR: Type.Integer({
      default: 2000,
      minimum: 1,
      description: 'Maximum number of requests per hour without a valid credential, for each client address'
    }),
    IMAGE_VARIANTS_PER_HOUR: Type.Integer({
      default: 3000,
      minimum: 1,
      description:
        'Maximum number of image sizes and formats that one client address may have created per hour. ' +
        'Images that exist already are not limited'
    }),
    OUTBOUND_ALLOW: Type.String({
      default: '',
      description:
        'Private or plain http destinations that webhooks, images and visual checks may connect to: ' +
        'hosts, CIDRs, host:port, and URLs that end with a slash and allow what starts with them, separated by ' +
        'commas. For staging pages and for development'
    }),
    OPTIMIZER_URL: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The base URL of a language model API that writes SEO texts, including its version, ' +
          'such as https://api.example.com/v1. Its host need not be listed in OUTBOUND_ALLOW'
      })
    ),
    OPTIMIZER_PROTOCOL: OneOf(['openai', 'anthropic'], {
      default: 'openai',
      description:
        'The API at OPTIMIZER_URL: `openai` posts to /chat/completions, `anthropic` to /messages. ' +
        'Many other services and servers are compatible with one of them'
    }),
    OPTIMIZER_API_KEY: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description: 'The API key for OPTIMIZER_URL. Without the OPTIMIZER settings, texts are generated by rules'
      })
    ),
    OPTIMIZER_MODEL: Type.Optional(Type.String({ minLength: 1, description: 'The model for OPTIMIZER_URL' })),
    OPTIMIZER_CALLS_PER_HOUR: Type.Integer({
      default: 1000,
      minimum: 0,
      description:
        'Maximum number of calls to OPTIMIZER_URL per hour, retries included, for all accounts and processes. ' +
        'Further texts are generated by rules, and completed when calls are allowed again'
    }),
    OPTIMIZER_CALLS_PER_ACCOUNT_PER_HOUR: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The same for one account. Default: no limit of its own' })
    ),
    OPTIMIZER_TIMEOUT_SECONDS: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 300,
      description: 'Time limit of one call to OPTIMIZER_URL. A call is tried up to 3 times'
    }),
    WEBHOOK_TIME_SCALE: Type.Number({
      default: 1,
      minimum: 1,
      maximum: 100000,
      description: 'Divides the delays, pauses and periods of webhooks. For testing only, not for production'
    }),
    CHROMIUM_PATH: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The Chromium executable for visual checks. ' +
          'Default: that of Playwright, of the system, or (on Linux) of @sparticuz/chromium'
      })
    ),
    BLOG_REVISIONS: Type.Integer({
      default: 50,
      minimum: 0,
      maximum: 500,
      description:
        'The earlier revisions that are stored for each blog. They count as storage of the account. ' +
        '0 stores none. A lower number takes effect with the next change of a blog'
    }),
    IMAGE_DOWNLOADS_PER_CLIENT: Type.Integer({
      default: 256,
      minimum: 1,
      maximum: 100_000,
      description:
        'The images above 256 KB that a client, or all clients behind an address, may load at the same time. ' +
        'More wait, for up to 30 seconds'
    }),
    IMAGE_CACHE_MB: Type.Integer({
      default: 256,
      minimum: 0,
      maximum: 1_000_000,
      description:
        'With MONGODB_URL: megabytes of images that each process caches in the temporary folder of the system, ' +
        'so that MongoDB is not asked for each delivery. 0 caches none'
    }),
    RESPONSE_CACHE_MB: Type.Integer({
      default: 128,
      minimum: 1,
      maximum: 65_536,
      description:
        'Memory of responses with published content that each process caches. Responses that are not in memory are ' +
        'read from the store'
    }),
    IMAGE_MEMORY_MB: Type.Integer({
      default: 1024,
      minimum: 64,
      description:
        'Memory of images that are decoded or encoded at once, in each process. More images wait, ' +
        'and an image that needs more is rejected. No accepted image needs more than the default'
    }),
    RENDER_THREADS: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 64,
      description:
        'Threads that render content, in each process. One account uses at most one less, and all of them ' +
        'for blogs that are rendered fast while nobody else needs one. ' +
        '0: one less than the CPU cores, and at least two'
    }),
    RENDER_TIMEOUT_MS: Type.Integer({
      default: 2000,
      minimum: 100,
      maximum: 60_000,
      description: 'CPU time for rendering one blog, in milliseconds. Content that takes longer is rejected'
    }),
    BROWSER_SANDBOX: OneOf(['on', 'off'], {
      default: 'on',
      description:
        'Whether Chromium must run in its sandbox. `on`: without a working sandbox, such as for root, ' +
        'visual checks respond with 503. `off`: for development, or in a container that isolates the browser'
    }),
    BROWSER_MEMORY_MB: Type.Integer({
      default: 1500,
      minimum: 512,
      description:
        'Maximum memory in MB of each of the two browser processes, with Chromium. ' +
        'A process that exceeds it is ended'
    }),
    VISUAL_CHECK_STALE_SECONDS: Type.Number({
      default: 120,
      minimum: 5,
      description:
        'Seconds after which an unfinished visual check counts as interrupted and is repeated. ' +
        'Must exceed the duration of a check. ' +
        'In the embedded profile, checks of a process that has ended are repeated after the next start'
    }),
    HEALTH_PROBE_SECONDS: Type.Number({
      default: 10,
      minimum: 0,
      description: 'Minimum seconds between two writes with which `/health/ready` checks the store and the files'
    }),
    SWEEP_INTERVAL_SECONDS: Type.Number({
      default: 60,
      minimum: 1,
      // Half of the time by which publications are queued ahead (`services/blogs/publication.ts`).
      maximum: 300,
      description: 'Seconds between two searches for pending work whose job was lost, and for blogs that are due soon'
    }),
    VISUAL_CHECKS_PER_HOUR: Type.Integer({
      default: 120,
      minimum: 0,
      description:
        'Maximum number of visual checks per hour for each account, in addition to the limit of the plan. ' +
        '0: only the plan applies'
    }),
    BRAND: Type.String({
      default: 'svc',
      pattern: '^[a-z][a-z0-9]{1,15}$',
      description: 'The prefix of API keys (svc_pk_…) and of the X-Svc-… headers'
    }),
    AUDIT_RETENTION_DAYS: Type.Integer({
      default: 90,
      minimum: 1,
      maximum: 3650,
      description: 'Days after which entries of the audit log are deleted. They contain addresses of clients'
    }),
    AUDIT_ENTRIES_PER_ACCOUNT: Type.Integer({
      default: 100_000,
      minimum: 100,
      maximum: 10_000_000,
      description:
        'Maximum number of entries in the audit log of an account: of changes of blogs and products, and as many ' +
        'of other changes. The oldest ones are deleted'
    }),
    TRUST_PROXY: Type.String({
      default: 'off',
      description:
        'The proxies whose X-Forwarded-For is trusted: `off`, `on`, a number of hops, ' +
        'or addresses and networks separated by commas'
    }),
    MAX_CONNECTIONS: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 1_000_000,
        description:
          'The connections that clients may have open. Above that, the oldest one without a request in progress is ' +
          'closed: of the client that has many, or of all clients, and those with a valid credential last. A client ' +
          'is an IPv4 address or an IPv6 /64. ' +
          'Default: 10000, or less if the process may have fewer than 22000 files open'
      })
    ),
    METRICS: OneOf(['on', 'off'], {
      default: 'on',
      description: 'Whether /metrics is served for Prometheus. Metrics contain no accounts and no addresses'
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The base URL of an OpenTelemetry collector with OTLP over HTTP, such as http://localhost:4318. ' +
          'Spans of requests and jobs are exported to it'
      })
    ),
    OTEL_SERVICE_NAME: Type.String({
      default: 'blog-product-content-service',
      minLength: 1,
      description: 'The service name of the spans'
    }),
    LOG_LEVEL: OneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'The log level. `debug` also logs successful reads'
    })
  },
  { $id: 'Config' }
)
export type Config = Static<typeof Config>
