import type { ViewportSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { FindingCode } from '../../../../services/visual-checks/rules/codes.ts'
import { TITLE } from '../snapshots.ts'
import type { Case } from './case.ts'

const OTHER = 'Sourdough in five easy steps'
const without = (facts: ViewportSnapshot, key: string) => {
  facts.document.metas = facts.document.metas.filter((meta) => meta.key !== key)
}
const instead = (facts: ViewportSnapshot, key: string, content: string) => {
  without(facts, key)
  facts.document.metas.push({ key, content })
}
const h1 = (text: string) => ({ text, rendered: true, selector: 'header h1', box: null })

export const head = {
  TITLE_MISSING: {
    found: 'a page without a title',
    change: (facts) => {
      facts.document.titles = [' ']
    },
    harmless: 'a title without the name of the site',
    spare: (facts) => {
      facts.document.titles = [TITLE]
    }
  },
  TITLE_MISMATCH: {
    found: 'the name of the site as title',
    change: (facts) => {
      facts.document.titles = ['Garden']
    },
    harmless: 'a title that is cut at its end',
    spare: (facts) => {
      facts.document.titles = ['Growing figs in pots on… | Garden']
    }
  },
  TITLE_DUPLICATE: {
    found: 'two titles',
    change: (facts) => {
      facts.document.titles.push('Garden')
    },
    harmless: 'one title in other case',
    spare: (facts) => {
      facts.document.titles = [TITLE.toUpperCase()]
    }
  },
  META_DESCRIPTION_MISSING: {
    found: 'an empty description',
    change: (facts) => {
      instead(facts, 'description', ' ')
    },
    harmless: 'other meta elements',
    spare: (facts) => {
      instead(facts, 'generator', '')
    }
  },
  META_DESCRIPTION_DUPLICATE: {
    found: 'a second description',
    change: (facts) => {
      facts.document.metas.unshift({ key: 'description', content: 'Just another website' })
    },
    harmless: 'a second description that is empty',
    spare: (facts) => {
      facts.document.metas.push({ key: 'description', content: '' })
    }
  },
  META_DESCRIPTION_MISMATCH: {
    found: 'the description of the site',
    change: (facts) => {
      instead(facts, 'description', 'Just another website')
    },
    harmless: 'a description that is cut at its end',
    spare: (facts, expected) => {
      instead(facts, 'description', `${expected.metaDescription.slice(0, 60)}…`)
    }
  },
  OG_TITLE_MISSING: {
    found: 'no title for previews',
    change: (facts) => {
      without(facts, 'og:title')
    },
    harmless: 'a title for previews, and more words in that of the page',
    spare: (facts) => {
      facts.document.titles = [`${TITLE} – from the garden`]
    }
  },
  OG_TITLE_MISMATCH: {
    found: 'a title for previews of another blog',
    change: (facts) => {
      instead(facts, 'og:title', OTHER)
    },
    harmless: 'a title for previews with the name of the site',
    spare: (facts) => {
      instead(facts, 'og:title', `${TITLE} | Garden`)
    }
  },
  OG_IMAGE_MISSING: {
    found: 'no picture for previews',
    change: (facts) => {
      without(facts, 'og:image')
    },
    harmless: 'no picture for previews of a blog that has none',
    spare: (facts, expected) => {
      without(facts, 'og:image')
      expected.ogImageUrl = null
    }
  },
  OG_IMAGE_BROKEN: {
    found: 'a picture for previews that does not load',
    change: (facts) => {
      if (facts.viewport === 'desktop') facts.document.ogImageLoads = false
    },
    harmless: 'a picture for previews that was not looked at',
    spare: (facts) => {
      facts.document.ogImageLoads = null
    }
  },
  H1_MISSING: {
    found: 'a headline that is no heading',
    change: (facts) => {
      facts.document.h1s = []
    },
    harmless: 'a second heading that nobody sees',
    spare: (facts) => {
      facts.document.h1s.push({ ...h1('Garden'), rendered: false })
    }
  },
  H1_DUPLICATE: {
    found: 'the name of the site as a second main heading',
    change: (facts) => {
      facts.document.h1s.unshift(h1('Garden'))
    },
    harmless: 'a main heading that the blog brings itself',
    spare: (facts) => {
      facts.blocks[1]!.tag = 'h1'
      facts.document.h1s.push(h1(facts.blocks[1]!.text))
    }
  },
  LANG_MISMATCH: {
    found: 'a page that says it is German',
    change: (facts) => {
      facts.document.lang = 'de'
    },
    harmless: 'a regional form of the language',
    spare: (facts) => {
      facts.document.lang = 'EN-us'
    }
  },
  LANG_MISSING: {
    found: 'a page that says no language',
    change: (facts) => {
      facts.document.lang = ''
    },
    harmless: 'a language with an underscore',
    spare: (facts) => {
      facts.document.lang = 'en_GB'
    }
  },
  NOINDEX: {
    found: 'noindex on a live page',
    change: (facts) => {
      facts.document.metas.push({ key: 'robots', content: 'NOINDEX,follow' })
    },
    harmless: 'noindex on staging, and a limit for previews',
    spare: (facts, expected) => {
      expected.environment = 'staging'
      facts.document.metas.push(
        { key: 'robots', content: 'noindex' },
        { key: 'robots', content: 'max-image-preview:none' }
      )
    }
  },
  CANONICAL_MISSING: {
    found: 'no canonical address, where the blog has one',
    change: (facts, expected) => {
      expected.canonicalUrl = 'https://garden.example/figs'
      facts.document.canonicals = []
    },
    harmless: 'no canonical address, where the blog has none',
    spare: (facts) => {
      facts.document.canonicals = []
    }
  },
  CANONICAL_INVALID: {
    found: 'two canonical addresses',
    change: (facts) => {
      facts.document.canonicals.push('https://garden.example/other')
    },
    harmless: 'the same canonical address twice',
    spare: (facts) => {
      facts.document.canonicals.push(facts.document.canonicals[0]!)
    }
  },
  CANONICAL_ELSEWHERE: {
    found: 'the canonical address of another page',
    change: (facts) => {
      facts.document.canonicals = ['https://garden.example/blog']
    },
    harmless: 'a canonical address with www and a slash, and one of the live host on staging',
    spare: (facts, expected) => {
      expected.environment = 'staging'
      facts.document.canonicals = [
        facts.viewport === 'mobile'
          ? 'http://www.garden.example/blog/figs-in-pots/'
          : 'https://live.example/blog/figs-in-pots'
      ]
    }
  },
  JSONLD_INVALID: {
    found: 'structured data that is not JSON',
    change: (facts) => {
      facts.document.jsonLd = ['{"@type":"Article",}']
    },
    harmless: 'a list of structured data',
    spare: (facts) => {
      facts.document.jsonLd = [`[${facts.document.jsonLd[0]}]`]
    }
  },
  JSONLD_MISSING: {
    found: 'structured data of the site alone',
    change: (facts) => {
      facts.document.jsonLd = ['{"@type":"WebSite","name":"Garden"}']
    },
    harmless: 'structured data of the site beside that of the blog',
    spare: (facts) => {
      facts.document.jsonLd.push('{"@type":"WebSite","name":"Garden"}')
    }
  },
  JSONLD_MISMATCH: {
    found: 'structured data of another blog',
    change: (facts) => {
      facts.document.jsonLd = [JSON.stringify({ '@type': 'BlogPosting', headline: OTHER })]
    },
    harmless: 'structured data of the blog as a news article',
    spare: (facts) => {
      facts.document.jsonLd = [JSON.stringify({ '@type': ['NewsArticle'], headline: TITLE })]
    }
  }
} satisfies Partial<Record<FindingCode, Case>>
