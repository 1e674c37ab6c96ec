import { addCss } from '../edit.ts'
import type { Defect, Half, Page } from '../types.ts'

type Rest = Omit<Defect, 'half' | 'name' | 'visible'>

/** Defects of one half, by name: those that readers see, and those that only programs see. */
export function defineDefects(
  half: Half,
  { visible = {}, invisible = {} }: { visible?: Record<string, Rest>; invisible?: Record<string, Rest> }
): Defect[] {
  const define = (defects: Record<string, Rest>, isVisible: boolean): Defect[] =>
    Object.entries(defects).map(([name, rest]) => ({ name, half, visible: isVisible, ...rest }))
  return [...define(visible, true), ...define(invisible, false)]
}

/** A rule of the site that damages elements of the article. */
export function damage(target: string, declarations: string): Pick<Defect, 'target' | 'apply'> {
  return { target, apply: (page) => addCss(page, `${target} { ${declarations} }`) }
}

/** Replaces the article by what a site shows instead of it. */
export const replaceArticle =
  (text: (page: Page) => string) =>
  (page: Page): void => {
    page.article = text(page)
  }
