import { readdirSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { parseConfig } from '../../plugins/config.ts'
import { Config } from '../../schemas/config.ts'
import { Jobs } from '../../schemas/jobs.ts'
import { secondsToStop, workedBy } from './deployed.ts'
import { ROOT } from './dockerfile.ts'

interface Labeled {
  matchLabels: Record<string, string>
}
interface Container {
  image: string
  args?: string[]
  env?: { name: string; value: string }[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string }[]
  lifecycle?: { preStop: { exec: { command: string[] } } }
  volumeMounts: { name: string; mountPath: string }[]
  resources: { limits: { memory: string } }
}
interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  data: Record<string, string>
  spec: {
    selector: Labeled & Record<string, string>
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        terminationGracePeriodSeconds: number
        containers: [Container]
        volumes: { name: string; emptyDir: { medium?: string; sizeLimit?: string } }[]
      }
    }
    minReplicaCount: number
    scaleTargetRef: { name: string }
    triggers: { metadata: { query: string } }[]
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[]
  }
}

interface NetworkPolicySpec {
  podSelector: Labeled
  policyTypes: string[]
  egress: { to: { ipBlock?: { cidr: string; except: string[] } }[]; ports: { port: number }[] }[]
}

const FOLDER = path.join(ROOT, 'deploy/kubernetes')
const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(FOLDER, file), 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file} is no YAML`, { cause: document.errors[0] })
    return document.toJS() as Manifest
  })
)
const all = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const [config] = all('ConfigMap')
const deployments = all('Deployment')
const SECRETS = {
  MONGODB_URL: 'mongodb://mongo/',
  REDIS_URL: 'redis://redis/',
  SESSION_SECRET: 'x'.repeat(64),
  SECRETS_KEY: Buffer.alloc(32).toString('base64')
}
const settingsOf = ({ spec }: Manifest) =>
  parseConfig({
    ...config!.data,
    ...SECRETS,
    ...Object.fromEntries((spec.template.spec.containers[0].env ?? []).map(({ name, value }) => [name, value]))
  })

t.test('the example names only existing settings, and they are valid in every pod', async (t) => {
  const names = [
    ...Object.keys(config!.data),
    ...deployments.flatMap(({ spec }) => spec.template.spec.containers[0].env!.map(({ name }) => name))
  ]
  t.strictSame(
    names.filter((name) => !(name in Config.properties)),
    []
  )
  for (const manifest of [...deployments, ...all('Job')]) {
    t.doesNotThrow(() => settingsOf(manifest), manifest.metadata.name)
  }
})

t.test('every job is processed by a pod, including sweep', async (t) => {
  const worked = deployments.flatMap((manifest) => workedBy(settingsOf(manifest)))
  t.strictSame(
    Object.keys(Jobs).filter((job) => !worked.includes(job)),
    []
  )
})

t.test('every pod has liveness and readiness probes and enough time to stop', async (t) => {
  t.ok(deployments.length >= 3)
  for (const {
    metadata: { name },
    spec: {
      template: { spec }
    }
  } of deployments) {
    const probe = (path: string) => ({ httpGet: { path, port: 'http' } })
    t.match(
      spec.containers[0],
      {
        startupProbe: probe('/health/live'),
        livenessProbe: probe('/health/live'),
        readinessProbe: probe('/health/ready'),
        ports: [{ name: 'http', containerPort: 3000 }]
      },
      name
    )
    const beforeStop = Number(spec.containers[0].lifecycle?.preStop.exec.command[1] ?? 0)
    t.ok(spec.terminationGracePeriodSeconds > secondsToStop() + beforeStop, `${name} is given longer than it takes`)
  }
})

t.test('every pod has minimal privileges', async (t) => {
  for (const {
    metadata: { name },
    spec: {
      template: { spec }
    }
  } of [...deployments, ...all('Job')]) {
    t.match(
      spec,
      {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          // The default profile prevents Chromium from creating its sandbox.
          seccompProfile:
            name === 'worker-visual'
              ? { type: 'Localhost', localhostProfile: 'profiles/chromium.json' }
              : { type: 'RuntimeDefault' }
        }
      },
      name
    )
    t.match(
      spec.containers[0],
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] }
        },
        resources: { requests: { cpu: String, memory: String }, limits: { memory: String } }
      },
      name
    )
    t.strictSame(
      spec.containers[0].volumeMounts.map(({ mountPath }) => mountPath).filter((path) => path !== '/dev/shm'),
      ['/tmp', '/data'],
      `${name} can write where it must`
    )
    t.strictSame(
      spec.containers[0].volumeMounts.map(({ name }) => name),
      spec.volumes.map(({ name }) => name)
    )
  }
})

t.test('visual checks run in a separate process with enough memory and shared memory for a browser', async (t) => {
  const looking = deployments.filter((manifest) => workedBy(settingsOf(manifest)).includes('run-visual-check'))
  t.ok(looking.length > 0)
  for (const manifest of looking) {
    const {
      metadata: { name },
      spec: {
        template: { spec }
      }
    } = manifest
    t.strictSame(workedBy(settingsOf(manifest)).sort(), ['run-visual-check', 'sweep'], name)
    t.equal(settingsOf(manifest).CHROMIUM_PATH, '/usr/bin/chromium', `${name} uses the one of the image`)
    t.equal(spec.containers[0].resources.limits.memory, '2Gi', name)
    t.ok(2 * settingsOf(manifest).BROWSER_MEMORY_MB < 1_800, `${name}: two browsers fit beside the service`)
    const shared = spec.containers[0].volumeMounts.find(({ mountPath }) => mountPath === '/dev/shm')
    t.match(
      spec.volumes.find((volume) => volume.name === shared?.name)?.emptyDir,
      { medium: 'Memory', sizeLimit: '512Mi' },
      name
    )
  }
})

t.test('all pods use the same image, settings and secrets', async (t) => {
  const containers = [...deployments, ...all('Job')].map(({ spec }) => spec.template.spec.containers[0])
  t.equal(new Set(containers.map(({ image }) => image)).size, 1)
  for (const { envFrom } of containers) {
    t.strictSame(envFrom, [
      { configMapRef: { name: config!.metadata.name } },
      { secretRef: { name: 'content-service-secrets' } }
    ])
  }
  t.strictSame(all('Secret'), [], 'no secret is stored in the file')
})

t.test('selectors match their pods', async (t) => {
  const labels = Object.fromEntries(
    deployments.map(({ metadata: { name }, spec }) => [name, spec.template.metadata.labels])
  )
  for (const {
    metadata: { name },
    spec
  } of [...deployments, ...all('PodDisruptionBudget')]) {
    t.match(labels[name], spec.selector.matchLabels, name)
  }
  for (const {
    metadata: { name },
    spec
  } of all('Service')) {
    t.match(labels[name], spec.selector, name)
  }
  for (const { spec } of [...all('HorizontalPodAutoscaler'), ...all('ScaledObject')]) {
    t.ok(spec.scaleTargetRef.name in labels, spec.scaleTargetRef.name)
  }
  for (const {
    metadata: { name, namespace },
    kind
  } of manifests) {
    if (kind !== 'Namespace') t.equal(namespace, 'content-service', name)
  }
})

t.test('customers reach the API but no operator endpoints', async (t) => {
  const paths = all('Ingress').flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths))
  t.strictSame(
    paths.map(({ path }) => path),
    ['/api', '/docs', '/openapi.json']
  )
  for (const { backend } of paths) t.ok(all('Service').some(({ metadata }) => metadata.name === backend.service.name))
})

t.test('workers scale with the queues of their jobs, and never to zero', async (t) => {
  for (const {
    metadata: { name },
    spec
  } of all('ScaledObject')) {
    t.ok(spec.minReplicaCount >= 1, name)
    const deployment = deployments.find(({ metadata }) => metadata.name === spec.scaleTargetRef.name)!
    const counted = /job=~"([^"]+)"/.exec(spec.triggers[0]!.metadata.query)![1]!.split('|')
    // The sweep runs every minute, so its queue does not reflect the load.
    t.strictSame(
      counted.sort(),
      workedBy(settingsOf(deployment))
        .filter((job) => job !== 'sweep')
        .sort(),
      name
    )
  }
  t.match(all('PodMonitor')[0]!.spec, { podMetricsEndpoints: [{ honorLabels: true, port: 'http', path: '/metrics' }] })
})

t.test('the pods of visual checks reach their databases, DNS and public web servers only', async (t) => {
  const [policy] = all('NetworkPolicy') as unknown as { metadata: { name: string }; spec: NetworkPolicySpec }[]
  t.match(deployments.find(({ metadata }) => metadata.name === 'worker-visual')!.spec.template.metadata.labels, {
    ...policy!.spec.podSelector.matchLabels
  })
  t.strictSame(policy!.spec.policyTypes, ['Ingress', 'Egress'])
  const toAddresses = policy!.spec.egress.filter(({ to }) => to.some(({ ipBlock }) => ipBlock !== undefined))
  t.strictSame(
    toAddresses.map(({ ports }) => ports.map(({ port }) => port)),
    [[80, 443]]
  )
  const blocked = new BlockList()
  for (const { ipBlock } of toAddresses[0]!.to) {
    for (const range of ipBlock!.except) {
      const [address, prefix] = range.split('/') as [string, string]
      blocked.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
    }
  }
  for (const address of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '127.0.0.1']) {
    t.ok(blocked.check(address), address)
  }
  for (const address of ['93.184.216.34', '172.32.0.1', '11.0.0.1']) t.notOk(blocked.check(address), address)
})

t.test('the seccomp profile lets Chromium create its sandbox, but not mount or load anything', async (t) => {
  const profile = JSON.parse(readFileSync(path.join(ROOT, 'deploy/seccomp/chromium.json'), 'utf8')) as {
    defaultAction: string
    syscalls: { names: string[]; action: string }[]
  }
  const denied = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ERRNO').flatMap(({ names }) => names)
  t.equal(profile.defaultAction, 'SCMP_ACT_ALLOW')
  for (const name of ['clone', 'clone3', 'unshare', 'setns', 'chroot', 'seccomp']) t.notOk(denied.includes(name), name)
  for (const name of ['mount', 'bpf', 'ptrace', 'keyctl', 'kexec_load', 'init_module', 'io_uring_setup']) {
    t.ok(denied.includes(name), name)
  }
  t.equal(new Set(denied).size, denied.length)
})
