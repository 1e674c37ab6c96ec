import { isHeadlined, presenceOf, shareInPage } from './presence.ts'
import { normalText } from './normal-text.ts'
import type { Found, Sight } from './rule.ts'
import { rounded } from './weight.ts'

type AbsentCode =
  | 'UNREACHABLE'
  | 'HTTP_ERROR'
  | 'LOGIN_WALL'
  | 'SOFT_404'
  | 'REDIRECTED_AWAY'
  | 'WRONG_POST'
  | 'CONTENT_MISSING'

const NOT_FOUND =
  /not found|no longer (?:available|exists?)|(?:does|could)(?: not|n't) (?:exist|be found)|can(?:not|'t) find|page (?:is )?missing|nothing (?:was )?found|nicht gefunden|existiert nicht|introuvable|n'existe (?:pas|plus)|no (?:se ha )?encontrad[ao]|no existe|non (?:è stata )?trovata|non esiste|não (?:foi )?encontrada|niet gevonden|bestaat niet|nie znaleziono|nie istnieje|hittades inte|ikke funnet|ikke fundet|ei löydy|nenalezena|nem található|bulunamadı|не найден|не знайден|не существует|غير موجود|لم يتم العثور|לא נמצא|नहीं मिला|見つかりません|存在しません|不存在|找不到|未找到|찾을 수 없|không tìm thấy|ไม่พบ|tidak ditemukan/i
const LOG_IN =
  /\b(?:log|sign) ?in\b|log dich ein|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi|iniciar sessão|inloggen|zaloguj|logga in|войти|вход|تسجيل الدخول|התחבר|ログイン|登录|登入|로그인|giriş yap|password protected|subscribers only|members only/i
/** A page with more text than this is about something. */
const LONG_TEXT = 250

/**
 * The one reason why our blog cannot be read at this address; null where it can, or where it is
 * there in a form that other findings tell.
 */
export function whyAbsent(sight: Sight): AbsentCode | null {
  const { runtime, document } = sight.facts
  if (runtime.status === 0) return 'UNREACHABLE'
  if (runtime.status >= 400) return 'HTTP_ERROR'
  if (presenceOf(sight) !== 'away') return null
  const text = normalText(document.text)
  const names = normalText([...document.titles, ...document.h1s.map(({ text }) => text)].join(' '))
  if (document.passwordFields > 0 || (text.length < 1500 && LOG_IN.test(names))) return 'LOGIN_WALL'
  if (
    NOT_FOUND.test(names) ||
    /\b(?:404|410)\b/.test(names) ||
    (text.length < 1500 && NOT_FOUND.test(text.slice(0, 400)))
  ) {
    return 'SOFT_404'
  }
  if (isLedAway(sight)) return 'REDIRECTED_AWAY'
  return text.length > LONG_TEXT && !isHeadlined(sight) ? 'WRONG_POST' : 'CONTENT_MISSING'
}

/** Whether the address led to another one: by redirects, by the page's head or by its scripts. */
function isLedAway({ facts, expected }: Sight): boolean {
  if (!URL.canParse(expected.url) || !URL.canParse(facts.runtime.finalUrl)) return false
  const [asked, got] = [new URL(expected.url), new URL(facts.runtime.finalUrl)]
  const bare = ({ host }: URL) => host.replace(/^www\./, '')
  const path = ({ pathname }: URL) => pathname.replace(/\/+$/, '')
  return bare(asked) !== bare(got) || path(got) !== path(asked)
}

/** What the rules of absence tell: the page as a whole. */
export function findAbsent(code: AbsentCode, sight: Sight): Found | null {
  if (whyAbsent(sight) !== code) return null
  const { runtime, document } = sight.facts
  return {
    extent: 1,
    places: [],
    evidence: { status: runtime.status, finalUrl: runtime.finalUrl, foundShare: rounded(shareInPage(sight)) },
    expected: sight.expected.title,
    actual: (document.titles[0] ?? document.h1s[0]?.text ?? '').slice(0, 200)
  }
}
