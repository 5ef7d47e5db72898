/** Menus that open from a button: actions, links, and choices. */
import { Link } from '@tanstack/react-router'
import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classes } from '../classes.ts'

const ITEM =
  'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none select-none cursor-default ' +
  'data-[highlighted]:bg-hover data-[disabled]:opacity-50'

interface MenuProps {
  /** The button. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, children, side = 'bottom', align = 'end' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} align={align} sideOffset={6} className="float-box z-50 min-w-48 p-1.5">
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  readonly icon?: LucideIcon | undefined
  readonly danger?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly onSelect: () => void
  readonly children: ReactNode
}

export function MenuItem({ icon: Icon, danger = false, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item disabled={disabled} onSelect={onSelect} className={classes(ITEM, danger && 'text-bad')}>
      {Icon !== undefined && <Icon aria-hidden className="size-4 shrink-0 text-faint" />}
      {children}
    </Radix.Item>
  )
}

interface MenuLinkProps {
  readonly icon?: LucideIcon | undefined
  readonly to: string
  readonly children: ReactNode
}

export function MenuLink({ icon: Icon, to, children }: MenuLinkProps) {
  return (
    <Radix.Item asChild className={ITEM}>
      <Link to={to}>
        {Icon !== undefined && <Icon aria-hidden className="size-4 shrink-0 text-faint" />}
        {children}
      </Link>
    </Radix.Item>
  )
}

interface MenuChoicesProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onValue: (value: T) => void
}

/** A group of which one is chosen. The menu stays open. */
export function MenuChoices<T extends string>({ label, value, choices, onValue }: MenuChoicesProps<T>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onValue(chosen as T)} aria-label={label}>
      <Radix.Label className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-faint">{label}</Radix.Label>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className={ITEM}
        >
          <span className="grow">{choice.label}</span>
          <Radix.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent-ink" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuLine() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />
}
