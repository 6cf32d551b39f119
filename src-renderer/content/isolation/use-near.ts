import { type RefObject, useEffect, useState } from 'react'

/** True once the parent of the element was within a window's height of the visible part, since `round` changed. */
export function useNear(element: RefObject<HTMLElement | null>, round = 0): boolean {
  const [nearIn, setNearIn] = useState<number>()
  const near = nearIn === round
  useEffect(() => {
    const watched = element.current?.parentElement
    if (!watched || near) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNearIn(round), {
      rootMargin: '100%',
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element, near, round])
  return near
}
