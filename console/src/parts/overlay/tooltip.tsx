/** A short explanation on hover and focus. Its trigger must be focusable, and its text not be essential. */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

interface TooltipProps {
  readonly text: ReactNode
  readonly children: ReactElement
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content sideOffset={6} className="float-box z-50 max-w-72 px-2.5 py-1.5 text-sm">
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
