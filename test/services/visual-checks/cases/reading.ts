import type { FindingCode } from '../../../../services/visual-checks/rules/codes.ts'
import { otherImage, setType, setVisibility } from '../snapshots.ts'
import type { Case } from './case.ts'

const target = { selector: 'article a', box: null }
const PIXEL = {
  src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  waitingSrc: 'https://garden.example/fig-0.jpg',
  naturalWidth: 1,
  naturalHeight: 1
}
const failure = (type: string, url: string, sameHost = true) => ({ url, type, reason: '404', sameHost })
const arabic = 'تنمو أشجار التين جيدا في الأصص الكبيرة ما دامت جذورها ضيقة قليلا وتربتها جيدة الصرف'

export const reading = {
  IMAGE_BROKEN: {
    found: 'a picture that does not load',
    change: (facts) => {
      Object.assign(facts.images[0]!, { naturalWidth: 0, naturalHeight: 0 })
    },
    harmless: 'a broken picture elsewhere on the site',
    spare: (facts) => {
      facts.images.push({ ...otherImage(), betweenBlocks: false, inArticle: false, naturalWidth: 0 })
    }
  },
  IMAGE_NOT_LOADED: {
    found: 'a placeholder that stays',
    change: (facts) => {
      Object.assign(facts.images[0]!, PIXEL)
    },
    harmless: 'a picture that a script has loaded',
    spare: (facts) => {
      facts.images[0]!.lazySrc = facts.images[0]!.src
    }
  },
  IMAGE_MISSING: {
    found: 'a picture that is left out',
    change: (facts) => {
      facts.images.pop()
    },
    harmless: 'a picture under an address of the site, with our description',
    spare: (facts) => {
      Object.assign(facts.images[1]!, { index: null, src: 'https://cdn.garden.example/w_800/8fe1' })
    }
  },
  IMAGE_DISTORTED: {
    found: 'a picture that is squeezed',
    change: (facts) => {
      facts.images[0]!.box = { x: 0, y: 0, width: 300, height: 520 }
    },
    harmless: 'a picture that is cut to fit',
    spare: (facts) => {
      Object.assign(facts.images[0]!, { objectFit: 'cover', box: { x: 0, y: 0, width: 300, height: 520 } })
    }
  },
  IMAGE_INVISIBLE: {
    found: 'a picture at an opacity of 0',
    change: (facts) => {
      facts.images[0]!.opacity = 0
    },
    harmless: 'a second copy of a picture for other screens',
    spare: (facts) => {
      facts.images.push({ ...facts.images[0]!, rendered: false })
    }
  },
  IMAGE_FOREIGN: {
    found: 'another picture in the place of ours',
    change: (facts) => {
      facts.images[1] = otherImage()
    },
    harmless: 'the face of the author',
    spare: (facts) => {
      facts.images.push({ ...otherImage(), box: { x: 0, y: 0, width: 48, height: 48 } })
    }
  },
  BLOG_CSS_NOT_APPLIED: {
    found: 'CSS of the blog that is left out',
    change: (facts) => {
      facts.css = {
        declarations: 40,
        applied: 4,
        broken: [{ selector: '.note', property: 'padding-top', expected: '16px', actual: '0px' }]
      }
    },
    harmless: 'a blog without CSS',
    spare: (facts) => {
      facts.css = { declarations: 0, applied: 0, broken: [] }
    }
  },
  BLOG_CSS_PARTLY_OVERRIDDEN: {
    found: 'a fifth of the CSS overridden',
    change: (facts) => {
      facts.css = {
        declarations: 40,
        applied: 32,
        broken: [{ selector: '.note', property: 'padding-top', expected: '16px', actual: '0px' }]
      }
    },
    harmless: 'one declaration of a hundred',
    spare: (facts) => {
      facts.css = { declarations: 100, applied: 99, broken: [] }
    }
  },
  STYLESHEET_FAILED: {
    found: 'a stylesheet of the site that is not there',
    change: (facts) => {
      facts.runtime.failures = [failure('stylesheet', 'https://garden.example/site.css')]
      setType(facts, { lineCapacity: 180, charactersPerLine: 160 })
    },
    harmless: 'an icon that is not there',
    spare: (facts) => {
      facts.runtime.failures = [failure('other', 'https://garden.example/favicon.ico')]
    }
  },
  FONT_TOO_SMALL: {
    found: 'text of 9 px',
    change: (facts) => {
      setType(facts, { fontPx: 9 })
    },
    harmless: 'text of 14 px',
    spare: (facts) => {
      setType(facts, { fontPx: 14 })
    }
  },
  LINE_HEIGHT_TIGHT: {
    found: 'a line height of 0.95',
    change: (facts) => {
      setType(facts, { lineHeightRatio: 0.95 })
    },
    harmless: 'headings of one line set close',
    spare: (facts) => {
      setType(facts, { lineHeightRatio: 1 }, [1, 6])
    }
  },
  LETTER_SPACING: {
    found: 'letters squeezed by a tenth',
    change: (facts) => {
      setType(facts, { letterSpacingEm: -0.1 })
    },
    harmless: 'headings set a little wider',
    spare: (facts) => {
      setType(facts, { letterSpacingEm: 0.35 }, [1, 6])
    }
  },
  LOW_CONTRAST: {
    found: 'pale gray on white',
    change: (facts) => {
      setVisibility(facts, { contrast: 1.65 })
    },
    harmless: 'large headings at a contrast of 3.2',
    spare: (facts) => {
      setVisibility(facts, { contrast: 3.2 }, [1, 6])
    }
  },
  TEXT_DIRECTION: {
    found: 'English from right to left',
    change: (facts) => {
      setType(facts, { direction: 'rtl' })
    },
    harmless: 'Arabic from right to left',
    spare: (facts) => {
      setType(facts, { direction: 'rtl' }, [0])
      Object.assign(facts.blocks[0]!, { text: arabic, actual: arabic })
    }
  },
  LINE_TOO_LONG: {
    found: 'lines of 160 characters',
    change: (facts) => {
      setType(facts, { lineCapacity: 180, charactersPerLine: 160 })
    },
    harmless: 'lines of 90 characters',
    spare: (facts) => {
      setType(facts, { lineCapacity: 100, charactersPerLine: 90 })
    }
  },
  AXE_ARTICLE: {
    found: 'a link without a name in the text',
    change: (facts) => {
      if (facts.viewport === 'desktop') {
        facts.axe = [
          { rule: 'link-name', impact: 'serious', help: 'Links must have discernible text', nodes: 1, target }
        ]
      }
    },
    harmless: 'a minor remark on the text',
    spare: (facts) => {
      facts.axe = [{ rule: 'empty-heading', impact: 'minor', help: 'Headings should not be empty', nodes: 1, target }]
    }
  }
} satisfies Partial<Record<FindingCode, Case>>
