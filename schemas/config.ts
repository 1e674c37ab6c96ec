import { Type, type Static } from '@sinclair/typebox'
import { PLAN_NAMES } from './account.ts'
import { OneOf } from './fields.ts'

/**
 * Every setting, read from the environment and an `.env` file. `secret: true` is masked wherever
 * settings are shown.
 */
export const Config = Type.Object(
  {
    HOST: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'The address to listen on; 0.0.0.0 in a container'
    }),
    PORT: Type.Integer({
      default: 3000,
      minimum: 0,
      maximum: 65535,
      description: 'The port to listen on; 0 takes a free one'
    }),
    PUBLIC_URL: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The address under which customers reach the service, without a slash at the end. Default: made of HOST and PORT'
      })
    ),
    DATA_DIR: Type.String({
      default: './data',
      minLength: 1,
      description: 'The folder of the embedded store, the files and the secrets that were made'
    }),
    MONGODB_URL: Type.Optional(
      Type.String({
        pattern: '^mongodb(\\+srv)?://',
        secret: true,
        description: 'Keeps everything in MongoDB instead of DATA_DIR'
      })
    ),
    REDIS_URL: Type.Optional(
      Type.String({
        pattern: '^rediss?://',
        secret: true,
        description: 'Keeps queue and limits in Redis instead of the process'
      })
    ),
    REDIS_PREFIX: Type.String({
      default: 'svc',
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'Begins the name of every key in Redis, so that several deployments can share one'
    }),
    ROLE: OneOf(['all', 'api', 'worker'], {
      default: 'all',
      description: 'What this process does; api and worker need MONGODB_URL and REDIS_URL'
    }),
    WORKERS: Type.String({
      default: '',
      description: 'The jobs that this process works, separated by commas. Default: all of them'
    }),
    SESSION_SECRET: Type.Optional(
      Type.String({
        minLength: 32,
        secret: true,
        description:
          'The HS256 secret of session tokens, at least 32 bytes. Made in DATA_DIR when embedded and no SESSION_JWKS_URL is set'
      })
    ),
    SESSION_JWKS_URL: Type.Optional(
      Type.String({ format: 'http-url', description: "The identity provider's key set, for asymmetric session tokens" })
    ),
    SESSION_ISSUER: Type.Optional(Type.String({ minLength: 1, description: 'The iss that session tokens must carry' })),
    SESSION_AUDIENCE: Type.Optional(
      Type.String({ minLength: 1, description: 'The aud that session tokens must carry' })
    ),
    SECRETS_KEY: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=(\\s*,\\s*[A-Za-z0-9+/]{43}=)*$',
        secret: true,
        description:
          '32 bytes in base64: encrypts what must be read back. Made in DATA_DIR when embedded. While it is changed, several separated by commas: the first encrypts, all of them decrypt'
      })
    ),
    DEFAULT_PLAN: OneOf(PLAN_NAMES, {
      default: 'starter',
      description: 'The plan of an account that is seen for the first time'
    }),
    DEMO_CONTENT: OneOf(['auto', 'off'], {
      default: 'auto',
      description: 'auto: an empty embedded store gets the demo account and its content'
    }),
    ADDRESS_REQUESTS_PER_HOUR: Type.Integer({
      default: 2000,
      minimum: 1,
      description: 'Requests an hour without a valid credential, by client address'
    }),
    OUTBOUND_ALLOW: Type.String({
      default: '',
      description:
        'Hosts, CIDRs and host:port, separated by commas, that webhooks, pictures and checks may reach although they are private or plain http: staging pages, receivers in development'
    }),
    OPTIMIZER_URL: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The base address of an OpenAI-compatible interface that writes SEO texts, such as https://api.example.com/v1; its host is allowed by itself'
      })
    ),
    OPTIMIZER_API_KEY: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description: 'The key for it; without both, texts are made by rules alone'
      })
    ),
    OPTIMIZER_MODEL: Type.Optional(
      Type.String({ minLength: 1, description: 'The model to ask for; required with OPTIMIZER_URL' })
    ),
    OPTIMIZER_CALLS_PER_HOUR: Type.Integer({
      default: 1000,
      minimum: 0,
      description: 'Most calls of OPTIMIZER_URL an hour; past it texts are made by rules'
    }),
    WEBHOOK_TIME_SCALE: Type.Number({
      default: 1,
      minimum: 1,
      maximum: 100000,
      description:
        'Waits between attempts, pauses and periods of webhooks are divided by this: for rehearsals of failure, not for production'
    }),
    CHROMIUM_PATH: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The browser of visual checks, a Chromium. Default: one that Playwright or the system has'
      })
    ),
    VISUAL_CHECKS_PER_HOUR: Type.Integer({
      default: 120,
      minimum: 0,
      description:
        'Most visual checks of an account in any hour, beside the requests of its plan; 0: only the plan counts'
    }),
    BRAND: Type.String({
      default: 'svc',
      pattern: '^[a-z][a-z0-9]{1,15}$',
      description: 'The prefix of API keys (svc_pk_…) and the name in the X-Svc-… headers'
    }),
    TRUST_PROXY: Type.String({
      default: 'off',
      description: 'Whose X-Forwarded-For counts: off, on, a number of hops, or a comma list of addresses and networks'
    }),
    METRICS: OneOf(['on', 'off'], {
      default: 'on',
      description:
        'Whether /metrics is served, for Prometheus; it tells no account and no address, and need not be reachable from outside'
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      Type.String({
        format: 'http-url',
        description:
          'The base address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://localhost:4318: spans of requests and jobs are sent there'
      })
    ),
    OTEL_SERVICE_NAME: Type.String({
      default: 'blog-product-content-service',
      minLength: 1,
      description: 'What the spans are said to be of'
    }),
    LOG_LEVEL: OneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'debug also logs every read that went well'
    })
  },
  { $id: 'Config' }
)
export type Config = Static<typeof Config>
