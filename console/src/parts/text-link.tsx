/** Links inside the console, with its path and search parameters. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface TextLinkProps {
  readonly to: string
  readonly search?: Readonly<Record<string, string>> | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function TextLink({ to, search, className, children }: TextLinkProps) {
  return (
    <Link
      to={to}
      search={(search ?? {}) as never}
      className={classes('text-accent-ink underline-offset-2 hover:underline rounded-sm', className)}
    >
      {children}
    </Link>
  )
}
