import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AuditPage } from './audit/audit.tsx'
import { BlogsPage } from './blogs/blogs.tsx'
import { EditorPage } from './blogs/editor.tsx'
import { CheckPage } from './checks/check.tsx'
import { ChecksPage } from './checks/checks.tsx'
import { BlogChecksPage } from './checks/history.tsx'
import { HomePage } from './home/home.tsx'
import { KeysPage } from './keys/keys.tsx'
import { ImportPage } from './products/imports.tsx'
import { ProductPage } from './products/product.tsx'
import { ProductsPage } from './products/products.tsx'
import { ProjectContext, useProjectList } from './projects/context.tsx'
import { ProjectsPage } from './projects/projects.tsx'
import { ProjectPage } from './projects/settings.tsx'
import { useRoute, type Route } from './router.ts'
import { getSession, onSessionChange, setSession } from './session.ts'
import { SignInPage } from './sign-in.tsx'
import { Empty, Page } from './ui/display.tsx'
import { Icon, type IconName } from './ui/icons.tsx'
import { DeliveryPage } from './webhooks/delivery.tsx'
import { WebhookPage } from './webhooks/webhook.tsx'
import { WebhooksPage } from './webhooks/webhooks.tsx'

const SECTIONS: readonly { path: string; text: string; icon: IconName }[] = [
  { path: '', text: 'Home', icon: 'home' },
  { path: 'blogs', text: 'Blogs', icon: 'blogs' },
  { path: 'products', text: 'Products', icon: 'products' },
  { path: 'webhooks', text: 'Webhooks', icon: 'webhooks' },
  { path: 'checks', text: 'Checks', icon: 'checks' },
  { path: 'keys', text: 'Keys', icon: 'keys' }
]
const PROJECT_KEY = 'console-project'

export function App() {
  const [session, update] = useState(getSession)
  const route = useRoute()
  useEffect(() => onSessionChange(() => update(getSession())), [])
  if (session === null || route.segments[0] === 'sign-in') return <SignInPage route={route} />
  return (
    <SignedIn key={session.credential} section={route.segments[0] ?? ''}>
      {/* A new page for each address, so that no state of the last one remains. */}
      <PageOf key={route.segments.join('/')} route={route} />
    </SignedIn>
  )
}

function PageOf({ route: { segments } }: { route: Route }) {
  const [section = '', id, part, partId] = segments
  if (section === '') return <HomePage />
  if (section === 'blogs') return id === undefined ? <BlogsPage /> : <EditorPage id={id} />
  if (section === 'products') {
    if (id === 'imports' && part !== undefined) return <ImportPage id={part} />
    return id === undefined ? <ProductsPage /> : <ProductPage id={id} />
  }
  if (section === 'webhooks') {
    if (part === 'deliveries' && partId !== undefined) return <DeliveryPage webhookId={id!} id={partId} />
    return id === undefined ? <WebhooksPage /> : <WebhookPage id={id} />
  }
  if (section === 'checks') {
    if (id === undefined) return <ChecksPage />
    return part === undefined ? <BlogChecksPage blogId={id} /> : <CheckPage blogId={id} id={part} />
  }
  if (section === 'keys') return <KeysPage />
  if (section === 'projects') return id === undefined ? <ProjectsPage /> : <ProjectPage id={id} />
  if (section === 'audit') return <AuditPage />
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address.">
        <a href="#/">Go to the home page</a>
      </Empty>
    </Page>
  )
}

function SignedIn({ section, children }: { section: string; children: ComponentChildren }) {
  const projects = useProjectList()
  const [current, choose] = useState(() => localStorage.getItem(PROJECT_KEY) ?? '')
  const list = projects.data?.projects ?? null
  const isKnown = list === null || list.some(({ id }) => id === current)
  return (
    <ProjectContext.Provider
      value={{
        list,
        current: isKnown ? current : '',
        choose: (id) => {
          localStorage.setItem(PROJECT_KEY, id)
          choose(id)
        },
        reload: projects.reload
      }}
    >
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('content')?.focus()
        }}
      >
        Skip to content
      </a>
      <div class="shell">
        <nav class="sections" aria-label="Sections">
          <p class="brand">Content service</p>
          <ul>
            {SECTIONS.map(({ path, text, icon }) => (
              <li key={path}>
                <a href={`#/${path}`} aria-current={path === section ? 'page' : undefined}>
                  <Icon name={icon} />
                  {text}
                </a>
              </li>
            ))}
          </ul>
          <Account section={section} />
        </nav>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </ProjectContext.Provider>
  )
}

function Account({ section }: { section: string }) {
  const session = getSession()
  const name = session?.kind === 'key' ? 'API key' : (session?.account ?? 'Signed in')
  return (
    <div class="account">
      <span class="account-name" title={name}>
        {name}
      </span>
      <a href="#/projects" aria-current={section === 'projects' ? 'page' : undefined}>
        Projects
      </a>
      <a href="#/audit" aria-current={section === 'audit' ? 'page' : undefined}>
        Audit log
      </a>
      <a href="/docs">Docs</a>
      <button type="button" class="link" onClick={() => setSession(null)}>
        Sign out
      </button>
    </div>
  )
}
