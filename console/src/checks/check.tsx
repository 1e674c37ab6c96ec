import { useState } from 'preact/hooks'
import type {
  FindingCategory,
  Severity,
  ViewportName,
  VisualCheck,
  VisualCheckScreenshot,
  VisualFinding
} from '../../../schemas/visual-check.ts'
import { formatPercent } from '../format.ts'
import { useQuery } from '../use-query.ts'
import { Filter } from '../ui/controls.tsx'
import { Badge, Empty, Loaded, MarkedText, Meter, Notice, Page, Panel, type Tone } from '../ui/display.tsx'
import { Compare, PagePicture } from './pictures.tsx'
import { isUnfinished, ScoreBadge } from './running.tsx'

const POLL_MS = 1500
const SEVERITY_TONES: Record<Severity, Tone> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'info',
  info: 'neutral'
}

/** As in the reports of the service. */
const CATEGORY_TEXTS: Record<FindingCategory, string> = {
  content: 'Content',
  layout: 'Layout',
  media: 'Images',
  style: 'Style',
  readability: 'Readability',
  metadata: 'Metadata',
  runtime: 'Loading'
}

/** One visual check: the score, the findings, and the page with their places. */
export function CheckPage({ blogId, id }: { blogId: string; id: string }) {
  const query = useQuery<VisualCheck>(`/api/v1/blogs/${blogId}/visual-checks/${id}`, (check) =>
    isUnfinished(check) ? POLL_MS : null
  )
  return (
    <Page
      title="Visual check"
      parent={{ href: `/checks/${blogId}`, text: 'Checks of this post' }}
      badge={query.data !== null && <ScoreBadge check={query.data} />}
    >
      <Loaded query={query}>{(check) => <Result check={check} />}</Loaded>
    </Page>
  )
}

function Result({ check }: { check: VisualCheck }) {
  const [viewport, setViewport] = useState<ViewportName>('mobile')
  const [active, setActive] = useState<number | null>(null)
  const previous = useQuery<VisualCheck>(
    check.since === null ? null : `/api/v1/blogs/${check.blogId}/visual-checks/${check.since.checkId}`
  )
  if (isUnfinished(check)) {
    return (
      <Notice tone="info">
        <p>{check.status === 'queued' ? 'The check is queued.' : 'A browser opens the page and compares it.'}</p>
        <p class="muted">{check.url}</p>
      </Notice>
    )
  }
  const screenshot = pictureOf(check, viewport)
  const before = previous.data === null ? undefined : pictureOf(previous.data, viewport)
  return (
    <>
      <p class="muted">
        <a href={check.url} rel="noreferrer" target="_blank">
          {check.url}
        </a>
        {check.since !== null && ` · ${sinceText(check)}`}
      </p>
      {check.reason !== null && <Notice tone="bad">{check.reason}</Notice>}
      {check.categories !== null && <Categories check={check} />}
      <div class="split findings-split">
        <Panel title={`Findings: ${check.findings.length}`}>
          {check.findings.length === 0 ? (
            <Empty title="No problems found." />
          ) : (
            <ol class="findings">
              {check.findings.map((finding, index) => (
                <Finding
                  key={index}
                  finding={finding}
                  isActive={index === active}
                  pictures={check.screenshots.filter((picture) => picture.finding === index)}
                  onShow={() => {
                    setActive(index)
                    const [place] = finding.locations
                    if (place !== undefined && !finding.locations.some((each) => each.viewport === viewport)) {
                      setViewport(place.viewport)
                    }
                  }}
                />
              ))}
            </ol>
          )}
        </Panel>
        <Panel
          title="Page"
          actions={
            <Filter
              label="Viewport"
              value={viewport}
              options={[
                ['mobile', 'Mobile'],
                ['desktop', 'Desktop']
              ]}
              onChange={setViewport}
            />
          }
        >
          {screenshot === undefined ? (
            <Empty title="There is no picture of the page." />
          ) : (
            <PagePicture screenshot={screenshot} findings={check.findings} viewport={viewport} active={active} />
          )}
          {screenshot !== undefined && before !== undefined && (
            <details>
              <summary>Compare with the previous check</summary>
              <Compare before={before} after={screenshot} beforeText="Before" afterText="Now" />
            </details>
          )}
        </Panel>
      </div>
    </>
  )
}

/** The picture of the whole page, or of as much of it as there is. */
const pictureOf = ({ screenshots }: VisualCheck, viewport: ViewportName): VisualCheckScreenshot | undefined =>
  (['page', 'viewport'] as const)
    .map((kind) => screenshots.find((picture) => picture.kind === kind && picture.viewport === viewport))
    .find((picture) => picture !== undefined)

function sinceText({ since, overallScore }: VisualCheck): string {
  const change = (overallScore ?? 0) - (since?.overallScore ?? 0)
  const { appeared = [], gone = [] } = since ?? {}
  const sign = change >= 0 ? '+' : '−'
  return `${sign}${Math.abs(change)} since the previous check, ${appeared.length} new, ${gone.length} gone`
}

function Categories({ check }: { check: VisualCheck }) {
  return (
    <dl class="tiles">
      {Object.entries(check.categories!).map(([name, score]) => (
        <div key={name}>
          <dt>{CATEGORY_TEXTS[name as FindingCategory]}</dt>
          <dd>
            {score}
            <Meter label={CATEGORY_TEXTS[name as FindingCategory]} used={score} limit={100} isGood />
          </dd>
        </div>
      ))}
      {check.coverage !== null && (
        <div>
          <dt>Visible text</dt>
          <dd>
            {formatPercent(check.coverage.visible)}
            <Meter label="Visible text" used={check.coverage.visible} limit={1} isGood />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Such as `Mobile and desktop, 12 places.` */
function placesText(viewports: ViewportName[], count: number): string {
  const names = viewports.join(' and ')
  return `${names.slice(0, 1).toUpperCase()}${names.slice(1)}, ${count === 1 ? 'one place' : `${count} places`}.`
}

interface FindingProps {
  finding: VisualFinding
  isActive: boolean
  /** The crop, and how the text should look. */
  pictures: VisualCheckScreenshot[]
  onShow: () => void
}

/** One finding. Its places light up when it has the pointer or the focus. */
function Finding({ finding, isActive, pictures, onShow }: FindingProps) {
  const { code, severity, confidence, message, advice, viewports, count, expected, actual } = finding
  const [crop, reference] = (['crop', 'reference'] as const).map((kind) => pictures.find((each) => each.kind === kind))
  return (
    <li class={isActive ? 'active' : ''} onMouseEnter={onShow}>
      <button type="button" class="finding" aria-pressed={isActive} onClick={onShow} onFocus={onShow}>
        <span class="row">
          <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
          {confidence !== 'certain' && <Badge>{confidence}</Badge>}
          <span class="mono small">{code}</span>
        </span>
        <span>
          <MarkedText text={message} />
        </span>
      </button>
      <p class="muted small">
        <MarkedText text={advice} /> {placesText(viewports, count)}
      </p>
      {expected !== undefined && (
        <dl class="facts small">
          <dt>Expected</dt>
          <dd>{expected}</dd>
          <dt>Found</dt>
          <dd>{actual ?? 'Nothing'}</dd>
        </dl>
      )}
      {isActive && crop !== undefined && reference !== undefined && (
        <Compare before={reference} after={crop} beforeText="Expected" afterText="On the page" />
      )}
    </li>
  )
}
