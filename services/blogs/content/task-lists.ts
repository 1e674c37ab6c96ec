import type { CleanContext } from './clean-tree.ts'
import {
  attributeOf,
  isElement,
  isText,
  setAttribute,
  setAttributes,
  type ChildNode,
  type Element,
  type ParentNode
} from './tree.ts'
import { collapse } from '../../../lib/text.ts'

const ITEM_CLASS = 'svc-task-item'
const MAX_LABEL_LENGTH = 120

/**
 * Keeps a check box at the start of a list item, as GitHub and other editors write task lists.
 * Returns false for every other input, with a warning. Readers cannot change it.
 */
export function cleanCheckbox(input: Element, filtered: Record<string, string>, { warn }: CleanContext): boolean {
  if (attributeOf(input, 'type')?.toLowerCase() !== 'checkbox' || !startsListItem(input)) {
    warn('<input> was removed')
    return false
  }
  setAttributes(input, {
    class: 'svc-task',
    type: 'checkbox',
    disabled: '',
    checked: attributeOf(input, 'checked') === undefined ? null : ''
  })
  return true
}

/** Names the check box of a task list's item after the item, and gives the item its class. */
export function markTaskItem(item: Element): void {
  const first = firstContent(item)
  const checkbox = isElement(first) && first.tagName === 'p' ? firstContent(first) : first
  if (!isElement(checkbox) || checkbox.tagName !== 'input') return
  const classes = new Set([...(attributeOf(item, 'class') ?? '').split(' ').filter(Boolean), ITEM_CLASS])
  setAttribute(item, 'class', [...classes].join(' '))
  const label = Array.from(collapse(ownText(item))).slice(0, MAX_LABEL_LENGTH)
  setAttribute(checkbox, 'aria-label', label.length === 0 ? null : label.join('').trimEnd())
}

/** The text of a list item without that of lists in it. */
const ownText = (node: ParentNode): string =>
  node.childNodes
    .map((child) =>
      isText(child) ? child.value : isElement(child) && !/^[uo]l$/.test(child.tagName) ? ownText(child) : ''
    )
    .join('')

const firstContent = (parent: ParentNode): ChildNode | undefined =>
  parent.childNodes.find((node) => !isText(node) || node.value.trim() !== '')

function startsListItem(input: Element): boolean {
  const parent = input.parentNode as Element | null
  if (parent === null || !isElement(parent) || firstContent(parent) !== input) return false
  if (parent.tagName === 'li') return true
  const item = parent.parentNode as Element | null
  return (
    parent.tagName === 'p' && item !== null && isElement(item) && item.tagName === 'li' && firstContent(item) === parent
  )
}
