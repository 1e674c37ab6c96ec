import { isElement, setChildren, type ChildNode, type Element, type ParentNode } from './tree.ts'

/** The children of a node as a list, from which removing one takes the same time however many there are. */
class SiblingList {
  private readonly before = new Map<ChildNode, ChildNode>()
  private readonly after = new Map<ChildNode, ChildNode>()
  private first: ChildNode | undefined

  constructor(children: ChildNode[]) {
    this.first = children[0]
    for (let index = 1; index < children.length; index++) this.link(children[index - 1], children[index])
  }

  neighbors(node: ChildNode): [ChildNode | undefined, ChildNode | undefined] {
    return [this.before.get(node), this.after.get(node)]
  }

  /** Puts another node in place of one; without another, the one is removed. */
  replace(node: ChildNode, other?: ChildNode): void {
    const [before, after] = this.neighbors(node)
    if (this.first === node) this.first = other ?? after
    this.link(before, other ?? after)
    if (other !== undefined) this.link(other, after)
  }

  toArray(): ChildNode[] {
    const nodes: ChildNode[] = []
    for (let node = this.first; node !== undefined; node = this.after.get(node)) nodes.push(node)
    return nodes
  }

  private link(before: ChildNode | undefined, after: ChildNode | undefined): void {
    if (before !== undefined && after !== undefined) this.after.set(before, after)
    else if (before !== undefined) this.after.delete(before)
    if (after !== undefined && before !== undefined) this.before.set(after, before)
    else if (after !== undefined) this.before.delete(after)
  }
}

/**
 * Removes and replaces nodes of a tree, for a list of nodes that are resolved one after the other. `childNodes` of an
 * element is up to date once none is left in it.
 */
export class TreeChanges {
  private readonly lists = new Map<ParentNode, SiblingList>()
  private readonly pending = new Map<ParentNode, number>()

  constructor(nodes: Element[]) {
    for (const node of nodes) for (const parent of ancestorsOf(node)) this.count(parent, 1)
  }

  /** Whether the element contains nodes that are not resolved yet. */
  isPending(element: ParentNode): boolean {
    return (this.pending.get(element) ?? 0) > 0
  }

  /** The nodes before and after a node. */
  neighbors(node: ChildNode): [ChildNode | undefined, ChildNode | undefined] {
    return this.listOf(node.parentNode!).neighbors(node)
  }

  /** Puts another node in place of one; without another, the one is removed. */
  replace(node: ChildNode, other?: ChildNode): void {
    const parent = node.parentNode!
    if (other !== undefined) other.parentNode = parent
    this.listOf(parent).replace(node, other)
    if (!this.isPending(parent)) this.write(parent)
  }

  /** The node, which has been removed or replaced, is no longer pending. */
  resolve(node: ChildNode): void {
    for (const parent of ancestorsOf(node)) {
      this.count(parent, -1)
      if (!this.isPending(parent)) this.write(parent)
    }
  }

  private count(parent: ParentNode, change: 1 | -1): void {
    this.pending.set(parent, (this.pending.get(parent) ?? 0) + change)
  }

  private listOf(parent: ParentNode): SiblingList {
    const list = this.lists.get(parent) ?? new SiblingList(parent.childNodes)
    this.lists.set(parent, list)
    return list
  }

  private write(parent: ParentNode): void {
    const list = this.lists.get(parent)
    if (list !== undefined) setChildren(parent, list.toArray())
    this.lists.delete(parent)
  }
}

function* ancestorsOf(node: ChildNode): Generator<ParentNode> {
  let parent = node.parentNode
  while (parent !== null) {
    yield parent
    parent = isElement(parent as ChildNode) ? (parent as Element).parentNode : null
  }
}
