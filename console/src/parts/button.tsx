/** Buttons, and links that look like them. */
import { Link } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'plain'

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none ' +
  'disabled:opacity-55 disabled:pointer-events-none transition-colors'

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-white hover:bg-accent-hover shadow-card',
  secondary: 'bg-surface text-ink border border-line-strong hover:bg-hover shadow-card',
  danger: 'bg-bad-fill text-white hover:brightness-110 shadow-card',
  plain: 'text-muted hover:bg-hover hover:text-ink',
}

const SIZES = { normal: 'h-9 px-3.5 text-base', small: 'h-7 px-2.5 text-sm' } as const

interface Look {
  readonly kind?: ButtonKind | undefined
  readonly size?: keyof typeof SIZES | undefined
  readonly icon?: LucideIcon | undefined
}

interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and refuses clicks. */
  readonly busy?: boolean | undefined
}

export function Button({ kind = 'secondary', size = 'normal', icon, busy = false, ...rest }: ButtonProps) {
  const { className, children, disabled = false, ...props } = rest
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classes(BASE, KINDS[kind], SIZES[size], className)}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : <Icon icon={icon} />}
      {children}
    </button>
  )
}

interface LinkButtonProps extends Look {
  /** Path in the console. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>> | undefined
  readonly children: ReactNode
}

export function LinkButton({ to, search, kind = 'secondary', size = 'normal', icon, children }: LinkButtonProps) {
  return (
    <Link to={to} search={(search ?? {}) as never} className={classes(BASE, KINDS[kind], SIZES[size])}>
      <Icon icon={icon} />
      {children}
    </Link>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Read by screen readers and shown as title. */
  readonly label: string
  readonly icon: LucideIcon
}

/** A square button with an icon only. */
export function IconButton({ label, icon: Picture, className, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={classes(BASE, KINDS.plain, 'size-8', className)}
    >
      <Picture aria-hidden className="size-4" />
    </button>
  )
}

function Icon({ icon: Picture }: { readonly icon: LucideIcon | undefined }) {
  return Picture === undefined ? null : <Picture aria-hidden className="size-4 shrink-0" />
}
