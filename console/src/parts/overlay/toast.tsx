/** Short confirmations at the edge of the window: `toast('Key revoked')`. Announced to screen readers. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../button.tsx'
import { usePartTexts } from '../part-texts.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
}

const SHOWN_MS = 6_000
const MAX_SHOWN = 3
const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let last = 0

export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  last += 1
  show([...toasts, { id: last, text, kind }].slice(-MAX_SHOWN))
}

function show(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function dismiss(id: number): void {
  show(toasts.filter((each) => each.id !== id))
}

/** Shown once by the frame. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-4 z-60 flex flex-col items-center gap-2 sm:items-end"
    >
      {shown.map((each) => (
        <OneToast key={each.id} {...each} />
      ))}
    </div>
  )
}

function OneToast({ id, text, kind }: Toast) {
  const texts = usePartTexts()
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  const Icon = kind === 'good' ? CircleCheck : CircleAlert
  return (
    <div className="float-box pointer-events-auto flex max-w-md items-center gap-2.5 py-1.5 pr-1.5 pl-3.5">
      <Icon aria-hidden className={kind === 'good' ? 'size-4 shrink-0 text-good' : 'size-4 shrink-0 text-bad'} />
      <span className="[overflow-wrap:anywhere]">{text}</span>
      <IconButton label={texts.dismiss} icon={X} onClick={() => dismiss(id)} />
    </div>
  )
}
