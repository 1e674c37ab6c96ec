import { useState } from 'preact/hooks'
import { NewProjectDialog } from '../projects/new-project.tsx'
import { Panel } from '../ui/display.tsx'
import { Icon } from '../ui/icons.tsx'

type Step = 'project' | 'blog' | 'published' | 'key' | 'webhook' | 'check'

const STEPS: readonly { step: Step; title: string; text: string; href: string | null }[] = [
  { step: 'project', title: 'Create a project', text: 'One for each website or shop.', href: null },
  { step: 'blog', title: 'Write a post', text: 'In Markdown, with a live preview.', href: '#/blogs' },
  { step: 'published', title: 'Publish it', text: 'Websites read published posts only.', href: '#/blogs' },
  { step: 'key', title: 'Create an API key', text: 'Your website reads posts with it.', href: '#/keys' },
  { step: 'webhook', title: 'Add a webhook', text: 'Your website learns about changes.', href: '#/webhooks' },
  { step: 'check', title: 'Check a published page', text: 'In a browser, with a score.', href: '#/checks' }
]

/** The steps of a new account. Each is ticked off by what the account contains. */
export function FirstSteps({ done }: { done: Record<Step, boolean> }) {
  const [isCreating, setCreating] = useState(false)
  const open = STEPS.filter(({ step }) => !done[step])
  if (open.length === 0) return null
  return (
    <Panel
      title="First steps"
      actions={
        <span class="muted small">
          {STEPS.length - open.length} of {STEPS.length} done
        </span>
      }
    >
      <ol class="steps">
        {STEPS.map(({ step, title, text, href }) => (
          <li key={step} class={done[step] ? 'done' : ''}>
            <span class="mark">{done[step] && <Icon name="check" />}</span>
            <span>
              {done[step] ? (
                <>
                  {title} <span class="visually-hidden">(done)</span>
                </>
              ) : href === null ? (
                <button type="button" class="link" onClick={() => setCreating(true)}>
                  {title}
                </button>
              ) : (
                <a href={href}>{title}</a>
              )}
              <span class="hint">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      {isCreating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}
