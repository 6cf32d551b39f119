import { type RefObject, useEffect, useState } from 'react'

/** True once what holds the element has been within a window's height of what is seen. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watched = element.current?.parentElement
    if (!watched || near) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: '100%',
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element, near])
  return near
}
