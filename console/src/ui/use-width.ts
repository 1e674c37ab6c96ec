import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The width of an element in CSS pixels, so that the texts of a chart keep their size. */
export function useWidth<Type extends Element>(initial: number): [RefObject<Type | null>, number] {
  const element = useRef<Type>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, Math.round(entry!.contentRect.width))))
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
