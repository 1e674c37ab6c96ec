import type { FindingCode } from '../../../../services/visual-checks/rules/codes.ts'
import { alter, lose, replaceAll, unexpectedText, TITLE } from '../snapshots.ts'
import type { Case } from './case.ts'

const OTHER =
  'Sourdough needs time more than it needs skill. Mix flour, water and salt in the evening, fold the dough four times, and leave it alone until the morning. '.repeat(
    4
  )
const entity = (text: string) => text.replaceAll(' and ', ' &amp; ').replaceAll(',', ',&nbsp;')

export const content = {
  UNREACHABLE: {
    found: 'no answer at all',
    change: (facts) => {
      replaceAll(facts, '', '')
      facts.runtime.status = 0
    },
    harmless: 'an answer without a change (304)',
    spare: (facts) => {
      facts.runtime.status = 304
    }
  },
  HTTP_ERROR: {
    found: 'an answer of 500',
    change: (facts) => {
      replaceAll(facts, 'Internal server error', 'Error')
      facts.runtime.status = 500
    },
    harmless: 'an answer of 203',
    spare: (facts) => {
      facts.runtime.status = 203
    }
  },
  LOGIN_WALL: {
    found: 'a form for a password in place of the blog',
    change: (facts) => {
      replaceAll(facts, 'Sign in to read on', 'Staging')
      facts.document.passwordFields = 1
    },
    harmless: 'a form for a password beside the blog',
    spare: (facts) => {
      facts.document.passwordFields = 1
    }
  },
  SOFT_404: {
    found: 'words of not found in place of the blog',
    change: (facts) => {
      replaceAll(facts, 'Diese Seite wurde leider nicht gefunden.', 'Garden')
    },
    harmless: 'the words "not found" in a headline of a page with the blog',
    spare: (facts, expected) => {
      expected.title = `${TITLE}: page not found`
      facts.document.titles = [expected.title]
      facts.document.h1s[0]!.text = expected.title
      facts.document.jsonLd = [JSON.stringify({ '@type': 'Article', headline: expected.title })]
    }
  },
  REDIRECTED_AWAY: {
    found: 'a redirect to the home page',
    change: (facts) => {
      replaceAll(facts, OTHER, 'Garden')
      facts.runtime.finalUrl = 'https://garden.example/'
    },
    harmless: 'a redirect to another address with the blog',
    spare: (facts) => {
      facts.runtime.finalUrl = 'https://www.garden.example/stories/figs'
      facts.document.canonicals = ['https://www.garden.example/stories/figs']
    }
  },
  WRONG_POST: {
    found: 'another long text in place of the blog',
    change: (facts) => {
      replaceAll(facts, OTHER, 'Sourdough in five steps')
    },
    harmless: 'another text around the blog',
    spare: (facts) => {
      facts.unexpectedTexts.push(unexpectedText(OTHER, 'site'))
      facts.document.text += OTHER
    }
  },
  CONTENT_MISSING: {
    found: 'the headline without any text',
    change: (facts) => {
      replaceAll(facts, `${TITLE} Imprint`, TITLE)
    },
    harmless: 'text that a script brings late',
    spare: (facts) => {
      facts.runtime.firstContentMs = 2500
    }
  },
  CONTENT_TRUNCATED: {
    found: 'the first half alone',
    change: (facts) => {
      lose(facts, 3, 4, 5, 6, 7)
    },
    harmless: 'a missing sign without letters',
    spare: (facts) => {
      facts.blocks[6]!.text = '* * *'
      lose(facts, 6)
    }
  },
  CONTENT_INCOMPLETE: {
    found: 'a missing paragraph',
    change: (facts) => {
      lose(facts, 3)
    },
    harmless: 'a text with other quotes, dashes and spaces',
    spare: (facts) => {
      for (const block of facts.blocks) {
        block.actual = block.text.replaceAll("'", '’').replaceAll(' ', ' \u00a0')
        block.similarity = 0.99
      }
    }
  },
  CONTENT_CHANGED: {
    found: 'a sentence that was rewritten',
    change: (facts) => {
      alter(facts, 2, facts.blocks[2]!.text.replace('forty litres', 'eleven litres').replace('fewer figs', 'more figs'))
    },
    harmless: 'a heading with the number and the link sign of the site',
    spare: (facts) => {
      alter(facts, 1, `2. ${facts.blocks[1]!.text} #`, 0.9)
    }
  },
  CONTENT_DUPLICATED: {
    found: 'the whole text twice',
    change: (facts) => {
      for (const block of facts.blocks) {
        block.copies = 2
        block.secondCopy = { selector: 'article>div', box: null }
      }
    },
    harmless: 'the first paragraph once more as a lead, and a line that the author repeats',
    spare: (facts) => {
      facts.blocks[0]!.copies = 2
      Object.assign(facts.blocks[4]!, { copies: 2, expectedCopies: 2 })
    }
  },
  CONTENT_REORDERED: {
    found: 'two paragraphs that changed places',
    change: (facts) => {
      ;[facts.blocks[2]!.order, facts.blocks[3]!.order] = [facts.blocks[3]!.order, facts.blocks[2]!.order]
    },
    harmless: 'boxes of the site between the paragraphs',
    spare: (facts) => {
      for (const block of facts.blocks) block.order! *= 3
    }
  },
  CONTENT_MIXED: {
    found: 'paragraphs of another text between ours',
    change: (facts) => {
      facts.unexpectedTexts.push(unexpectedText(OTHER, 'between'))
    },
    harmless: 'a short call to subscribe between the paragraphs',
    spare: (facts) => {
      facts.unexpectedTexts.push(unexpectedText('Get one letter a week from our garden. Subscribe', 'between'))
    }
  },
  ESCAPED_HTML: {
    found: 'the source of the blog shown as text',
    change: (facts, { html }) => {
      const { jsonLd } = facts.document
      replaceAll(facts, `Garden ${TITLE} ${html}`, TITLE)
      facts.document.jsonLd = jsonLd
      facts.unexpectedTexts.push(unexpectedText(html, 'between'))
    },
    harmless: 'tags in a code example of a reader',
    spare: (facts) => {
      facts.unexpectedTexts.push(unexpectedText('<p>Hello</p><div>World</div>', 'around', true))
    }
  },
  ESCAPED_ENTITIES: {
    found: 'entities shown as text',
    change: (facts) => {
      for (const index of [0, 2, 3]) alter(facts, index, entity(facts.blocks[index]!.text))
    },
    harmless: 'an entity that the author writes about',
    spare: (facts) => {
      Object.assign(facts.blocks[0]!, {
        text: 'Write &amp; for an ampersand, and write it twice where it is to be seen by readers.',
        actual: 'Write &amp; for an ampersand, and write it twice where it is to be seen by all readers.',
        similarity: 0.99
      })
    }
  },
  MOJIBAKE: {
    found: 'apostrophes read in a wrong encoding',
    change: (facts) => {
      facts.blocks[0]!.text += ' It’s easy, and it’s a joy.'
      alter(facts, 0, facts.blocks[0]!.text.replaceAll('’', 'â€™'))
    },
    harmless: 'a text in French and Portuguese',
    spare: (facts) => {
      facts.unexpectedTexts.push(
        unexpectedText(
          'À São Paulo, où l’été dure, ça mûrit déjà : Âge, Ère, île. « Le café\u00a0»\u00a0: l’été\u00a0! Voilà… le thé\u00a0; déjà\u00a0?',
          'around'
        )
      )
    }
  },
  PLACEHOLDER_TEXT: {
    found: 'an author who is undefined',
    change: (facts) => {
      facts.unexpectedTexts.push(unexpectedText('By undefined, NaN min read'))
    },
    harmless: 'a reader who asks about undefined behavior',
    spare: (facts) => {
      facts.unexpectedTexts.push(
        unexpectedText('Great read, thanks! What does undefined behavior mean here?'),
        unexpectedText('What does null mean?'),
        unexpectedText('{{ user.name }} prints NaN', 'around', true)
      )
    }
  },
  HEADLINE_MISSING: {
    found: 'a blog without any headline',
    change: (facts) => {
      facts.article!.headlineVisible = false
      facts.document.h1s = []
    },
    harmless: 'a headline in capitals',
    spare: (facts) => {
      facts.document.h1s[0]!.text = TITLE.toUpperCase()
    }
  },
  HEADLINE_MISMATCH: {
    found: 'a headline of another blog',
    change: (facts) => {
      facts.article!.headlineVisible = false
      facts.document.h1s[0]!.text = 'Sourdough in five steps'
    },
    harmless: 'a headline with the section before it',
    spare: (facts) => {
      facts.article!.headlineVisible = false
      facts.document.h1s[0]!.text = `Fruit: ${TITLE}`
    }
  }
} satisfies Partial<Record<FindingCode, Case>>
