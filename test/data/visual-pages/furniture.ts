import { escapeHtml } from '../../../lib/html.ts'
import { say } from './edit.ts'
import type { Page } from './types.ts'

/*
 * What sites put around an article, in the language of the post: navigation, lists of other posts, the
 * author's box and so on. Without styles of their own: each site has its classes.
 */

export const siteName = (page: Page): string =>
  say(page, { en: 'The Workbench', de: 'Die Werkbank', ar: 'دفتر الحرفة', ja: '手しごと帖' })

export function navigation(page: Page, attributes = ''): string {
  const labels = say(page, {
    en: 'Home,Articles,Topics,About',
    de: 'Start,Artikel,Themen,Über uns',
    ar: 'الرئيسية,المقالات,المواضيع,من نحن',
    ja: 'ホーム,記事,話題,案内'
  }).split(',')
  const label = say(page, { en: 'Main', de: 'Hauptmenü', ar: 'الرئيسية', ja: 'メイン' })
  const items = labels.map((text, index) => `<li><a href="/pages/${index}">${text}</a></li>`)
  return `<nav aria-label="${label}"${attributes}><ul>${items.join('')}</ul></nav>`
}

export function contents(page: Page, attributes = ''): string {
  const label = say(page, { en: 'On this page', de: 'Auf dieser Seite', ar: 'في هذه الصفحة', ja: 'このページの内容' })
  const items = page.post.blog.headings
    .filter(({ level }) => level < 4)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="${label}"${attributes}><p><strong>${label}</strong></p><ul>
${items.join('')}</ul></nav>`
}

export const relatedTitle = (page: Page): string =>
  say(page, { en: 'More to read', de: 'Weiterlesen', ar: 'اقرأ أيضًا', ja: 'あわせて読みたい' })

const relatedTexts = (page: Page): string[] =>
  say(page, {
    en: 'The shelf that holds itself,A calendar for small gardens,Letters from a lighthouse',
    de: 'Das Regal ohne Schrauben,Ein Kalender für kleine Gärten,Briefe vom Leuchtturm',
    ar: 'رف من غير مسامير,تقويم للحدائق الصغيرة,رسائل من المنارة',
    ja: '釘のいらない棚,小さな庭の暦,灯台からの手紙'
  }).split(',')

export function relatedList(page: Page): string {
  const items = relatedTexts(page).map((text, index) => `<li><a href="/articles/${index}">${text}</a></li>`)
  return `<section class="related"><h2>${relatedTitle(page)}</h2><ul>${items.join('')}</ul></section>`
}

export function relatedCards(page: Page): string {
  const cards = relatedTexts(page).map(
    (text, index) =>
      `<div class="card-item"><a href="/articles/${index}"><img ` +
      `src="/assets/card-${['one', 'two', 'three'][index]}.jpg" ` +
      `alt="" width="400" height="260" loading="lazy"><span>${text}</span></a></div>`
  )
  return `<section class="related"><h2>${relatedTitle(page)}</h2><div class="cards">${cards.join('')}</div></section>`
}

export function authorBox(page: Page): string {
  const name = escapeHtml(page.post.blog.author?.name ?? '')
  const text = say(page, {
    en: 'Writes about tools and about taking time, and answers every letter.',
    de: 'Schreibt über Werkzeug und Muße und beantwortet jeden Brief.',
    ar: 'يكتب عن الأدوات والوقت والصبر، ويجيب عن كل رسالة.',
    ja: '道具と時間と忍耐について書いています。お便りには必ず返事をします。'
  })
  return (
    `<aside class="author-box"><img src="/assets/avatar.jpg" alt="" width="80" ` +
    `height="80"><div><p><strong>${name}</strong></p>` +
    `<p>${text}</p></div></aside>`
  )
}

export function shareBar(page: Page): string {
  const label = say(page, { en: 'Share', de: 'Teilen', ar: 'شارك', ja: '共有' })
  const links = ['Mastodon', 'Facebook', 'E-Mail'].map((name) => `<a href="https://share.example/${name}">${name}</a>`)
  return `<div class="share" role="group" aria-label="${label}"><span>${label}:</span> ${links.join(' ')}</div>`
}

export function advert(page: Page): string {
  const label = say(page, { en: 'Advertisement', de: 'Anzeige', ar: 'إعلان', ja: '広告' })
  return (
    `<aside class="advert" aria-label="${label}"><small>${label}</small><a href="https://ads.example/1" ` +
    `rel="sponsored">` +
    `<img src="/assets/advert.jpg" alt="${label}" width="600" height="200"></a></aside>`
  )
}

export function newsletter(page: Page): string {
  const [title, field, button] = say(page, {
    en: 'One letter a month,E-mail address,Subscribe',
    de: 'Ein Brief im Monat,E-Mail-Adresse,Abonnieren',
    ar: 'رسالة كل شهر,البريد الإلكتروني,اشترك',
    ja: '月に一度のお便り,メールアドレス,登録する'
  }).split(',')
  return (
    `<form class="newsletter" action="/newsletter" method="post"><h2>${title}</h2>` +
    `<label>${field} <input type="email" name="email" autocomplete="email"></label> <button ` +
    `type="submit">${button}</button></form>`
  )
}

export function comments(page: Page): string {
  const [title, first, second] = say(page, {
    en: 'Two comments|I tried this on Sunday and it worked at once.|Thank you for the table!',
    de: 'Zwei Kommentare|Am Sonntag ausprobiert, hat sofort geklappt.|Danke für die Tabelle!',
    ar: 'تعليقان|جربت هذا يوم الجمعة ونجح من أول مرة.|شكرًا على الجدول!',
    ja: 'コメント二件|日曜日に試したら、すぐにできました。|表がとても助かりました。'
  }).split('|')
  const comment = (text: string) =>
    `<li><img src="/assets/reader.jpg" alt="" width="48" height="48" loading="lazy"><p>${text}</p></li>`
  return `<section class="comments"><h2>${title}</h2><ol>${comment(first!)}${comment(second!)}</ol></section>`
}

export function breadcrumbs(page: Page): string {
  const label = say(page, { en: 'Breadcrumbs', de: 'Brotkrumen', ar: 'مسار التنقل', ja: 'パンくずリスト' })
  const home = say(page, { en: 'Home', de: 'Start', ar: 'الرئيسية', ja: 'ホーム' })
  const category = escapeHtml(page.post.blog.category ?? '')
  return (
    `<nav class="breadcrumbs" aria-label="${label}"><a href="/">${home}</a> <span aria-hidden="true">/</span> ` +
    `<a href="/topics">${category}</a></nav>`
  )
}

export function tagList(page: Page): string {
  const links = page.post.blog.tags.map((tag, index) => `<a href="/tags/${index}">#${escapeHtml(tag)}</a>`)
  return `<p class="tags">${links.join(' ')}</p>`
}

export function footer(page: Page): string {
  const [imprint, privacy] = say(page, {
    en: 'Imprint,Privacy',
    de: 'Impressum,Datenschutz',
    ar: 'بيانات النشر,الخصوصية',
    ja: '運営者,プライバシー'
  }).split(',')
  return (
    `<footer class="site-footer"><p>© 2026 ${siteName(page)}</p>` +
    `<p><a href="/imprint">${imprint}</a> · <a href="/privacy">${privacy}</a></p></footer>`
  )
}

export const heading = (page: Page): string => `${page.heading}${page.byline}`

/** The title, the byline and the text, in the order of most sites. */
export const post = (page: Page): string => `${heading(page)}${page.beforeArticle}${page.article}${page.afterArticle}`
