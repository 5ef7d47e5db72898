/**
 * The region in which a table scrolls. One that is wider than the page keeps its first column in view (styles.css), has
 * a shade at the edge behind which columns are hidden, and says so below.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classes } from '../classes.ts'
import { usePartTexts } from '../part-texts.ts'

interface ScrollBoxProps {
  readonly label: string
  readonly children: ReactNode
}

/** Fractions of a pixel that zoomed pages leave. */
const SLACK = 2

export function ScrollBox({ label, children }: ScrollBoxProps) {
  const texts = usePartTexts()
  const box = useRef<HTMLElement>(null)
  const [isWide, setWide] = useState(false)
  const [isAtEnd, setAtEnd] = useState(true)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => {
      const rest = element.scrollWidth - element.clientWidth
      setWide(rest > SLACK)
      setAtEnd(element.scrollLeft >= rest - SLACK)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return (
    <>
      <div className="relative">
        {/* Focusable, so that the keyboard can scroll it where it is wider than the page. */}
        <section
          ref={box}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          className={classes('max-h-[75vh] overflow-auto', isWide && 'wide-table')}
        >
          {children}
        </section>
        {isWide && !isAtEnd && (
          <div
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-0 z-20 w-8 bg-linear-to-l from-line-strong/50 to-transparent"
          />
        )}
      </div>
      {isWide && <p className="border-t px-5 py-1.5 text-xs text-muted">{texts.moreColumns}</p>}
    </>
  )
}
