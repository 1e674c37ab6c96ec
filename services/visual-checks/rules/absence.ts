import { WRONG_PAGE_CODES } from './codes.ts'
import { getTextMatch, getMatchedShare, hasBlogTitle } from './helpers/text-match.ts'
import { normalizeText, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'
import { withoutTrailingSlash } from '../../../lib/text.ts'

type AbsenceCode = 'HTTP_ERROR' | 'LOGIN_WALL' | 'SOFT_404' | 'REDIRECTED_AWAY' | 'WRONG_POST' | 'CONTENT_MISSING'

const NOT_FOUND = new RegExp(
  [
    "not found|no longer (?:available|exists?)|(?:does|could)(?: not|n't) (?:exist|be found)",
    "can(?:not|'t) find|page (?:is )?missing|nothing (?:was )?found|nicht gefunden|existiert nicht",
    "introuvable|n'existe (?:pas|plus)|no (?:se ha )?encontrad[ao]|no existe|non (?:è stata )?trovata",
    'non esiste|não (?:foi )?encontrada|niet gevonden|bestaat niet|nie znaleziono|nie istnieje',
    'hittades inte|ikke funnet|ikke fundet|ei löydy|nenalezena|nem található|bulunamadı|не найден',
    'не знайден|не существует|غير موجود|لم يتم العثور|לא נמצא|नहीं मिला|見つかりません|存在しません|不存在',
    '找不到|未找到|찾을 수 없|không tìm thấy|ไม่พบ|tidak ditemukan'
  ].join('|'),
  'i'
)
const LOG_IN = new RegExp(
  [
    '\\b(?:log|sign) ?in\\b|log dich ein|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi',
    'iniciar sessão|inloggen|zaloguj|logga in|войти|вход|تسجيل الدخول|התחבר|ログイン|登录|登入|로그인',
    'giriş yap|password protected|subscribers only|members only'
  ].join('|'),
  'i'
)
/** A page with a longer text is an article of its own. */
const LONG_TEXT = 250
/** Longer texts are not a login form or an error page. */
const MAX_NOTICE_LENGTH = 1500

/**
 * The reason why the blog is not readable at this URL. Null if the blog is readable, or garbled so
 * that other rules report the defect.
 */
export function getAbsenceReason(input: RuleInput): AbsenceCode | null {
  const { runtime, document } = input.snapshot
  if (runtime.status >= 400) return 'HTTP_ERROR'
  if (getTextMatch(input) !== 'absent') return null
  const text = normalizeText(document.text)
  const titles = normalizeText([...document.titles, ...document.h1s.map(({ text }) => text)].join(' '))
  const isShort = text.length < MAX_NOTICE_LENGTH
  if (document.passwordFields > 0 || (isShort && LOG_IN.test(titles))) return 'LOGIN_WALL'
  if (NOT_FOUND.test(titles) || /\b(?:404|410)\b/.test(titles) || (isShort && NOT_FOUND.test(text.slice(0, 400)))) {
    return 'SOFT_404'
  }
  if (isRedirected(input)) return 'REDIRECTED_AWAY'
  return text.length > LONG_TEXT && !hasBlogTitle(input) ? 'WRONG_POST' : 'CONTENT_MISSING'
}

/** Whether redirects, the page's head or its scripts led to another URL. */
function isRedirected({ snapshot, expected }: RuleInput): boolean {
  if (!URL.canParse(expected.url) || !URL.canParse(snapshot.runtime.finalUrl)) return false
  const [requested, final] = [new URL(expected.url), new URL(snapshot.runtime.finalUrl)]
  const getHost = ({ host }: URL) => host.replace(/^www\./, '')
  const getPath = ({ pathname }: URL) => withoutTrailingSlash(pathname)
  return getHost(requested) !== getHost(final) || getPath(final) !== getPath(requested)
}

function detectAbsence(code: AbsenceCode, input: RuleInput): RuleHit | null {
  if (getAbsenceReason(input) !== code) return null
  const { runtime, document } = input.snapshot
  return {
    extent: 1,
    places: [],
    evidence: { status: runtime.status, finalUrl: runtime.finalUrl, foundShare: round(getMatchedShare(input)) },
    expected: input.expected.title,
    actual: (document.titles[0] ?? document.h1s[0]?.text ?? '').slice(0, 200)
  }
}

/** The blog is not in the page. */
export const absenceRules: readonly Rule[] = [
  {
    code: 'HTTP_ERROR',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'The page responds with an HTTP error.',
    advice: "Check the page's route, and the site's logs at the time of the check.",
    detect: (input) => detectAbsence('HTTP_ERROR', input),
    suppresses: { always: WRONG_PAGE_CODES }
  },
  {
    code: 'LOGIN_WALL',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'The page shows a login form instead of the blog.',
    advice: 'Publish the page without a login, or check a URL that readers can open.',
    detect: (input) => detectAbsence('LOGIN_WALL', input),
    suppresses: { always: WRONG_PAGE_CODES }
  },
  {
    code: 'SOFT_404',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'The page says "not found" but responds with a success status.',
    advice: "Check that the site knows the blog's slug. Respond with status 404 for unknown slugs.",
    detect: (input) => detectAbsence('SOFT_404', input),
    suppresses: { always: WRONG_PAGE_CODES }
  },
  {
    code: 'REDIRECTED_AWAY',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'The URL redirects to a page without the blog.',
    advice: "Check the site's redirects for this URL, and scripts that change the location.",
    detect: (input) => detectAbsence('REDIRECTED_AWAY', input),
    suppresses: { always: WRONG_PAGE_CODES }
  },
  {
    code: 'WRONG_POST',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'The page shows a different text than the blog.',
    advice: 'Check which blog the site loads for this URL: its slug, its id and its cache.',
    detect: (input) => detectAbsence('WRONG_POST', input),
    suppresses: { always: WRONG_PAGE_CODES }
  },
  {
    code: 'CONTENT_MISSING',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: "The blog's text is missing from the page.",
    advice: 'Check that the page includes `htmlContent` and that no script error prevents it from rendering.',
    detect: (input) => detectAbsence('CONTENT_MISSING', input),
    suppresses: { always: WRONG_PAGE_CODES }
  }
]
