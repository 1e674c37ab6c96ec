/** What the sites' own style sheets share: boxes, and pictures that fit. */
export const BASE = `
*, ::before, ::after { box-sizing: border-box }
body { margin: 0 }
h1, h2, h3, .cards, .related { overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
nav ul, .cards, .comments ol { list-style: none; margin: 0; padding: 0 }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
nav a { display: inline-block; padding-block: .3rem }
.contents ul { display: block }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem }
.card-item span { display: block; padding-block: .4rem }
.share { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin-block: 1.25rem }
.share a { padding-block: .25rem }
.author-box { display: flex; gap: 1rem; align-items: center; margin-block: 2rem }
.author-box img { border-radius: 50%; flex: none }
.advert { margin-block: 1.5rem; text-align: center }
.advert small { display: block }
.comments li { display: flex; gap: 1rem; margin-block: 1rem }
.comments li img { border-radius: 50%; flex: none; width: 48px; height: 48px }
.newsletter { margin-block: 2rem; padding: 1.25rem }
.newsletter input, .newsletter button { font: inherit; padding: .4rem .7rem; min-height: 2.5rem; max-width: 100% }
`

/** Scripts that sites have, and that change nothing of the article. */
export const PROGRESS_SCRIPT = `<script>
addEventListener('scroll', () => {
  const page = document.documentElement
  const share = page.scrollTop / Math.max(1, page.scrollHeight - innerHeight)
  document.querySelector('.progress').style.transform = 'scaleX(' + share + ')'
}, { passive: true })
</script>`

export const PROGRESS_CSS = `.progress { position: fixed; inset: 0 0 auto 0; height: 3px; background: #c2410c;
  transform: scaleX(0); transform-origin: 0 0; z-index: 60 }`
