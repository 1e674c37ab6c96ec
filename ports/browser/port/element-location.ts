/** CSS pixels, relative to the document. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where an element is: a selector for people, a box for screenshots. */
export interface ElementLocation {
  selector: string
  box: Box | null
}
