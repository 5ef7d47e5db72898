/** The side navigation: pages that exist and that the user's role may open. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePreferences } from '../texts/language.ts'
import { useFrameTexts } from './frame-texts.ts'
import { type NavigatingUser, navigationOf } from './page-access.ts'

export function Brand() {
  return (
    <span className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <img src={`${import.meta.env.BASE_URL}posthorn.svg`} alt="" className="size-7" />
      Posthorn
    </span>
  )
}

const ENTRY =
  'flex items-center gap-2.5 rounded-md px-2.5 py-2 font-medium text-muted hover:bg-hover hover:text-ink ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink'

interface NavigationProps {
  readonly user: NavigatingUser
  /** Beside the entry of this path. */
  readonly badges: Readonly<Record<string, ReactNode>>
}

export function Navigation({ user, badges }: NavigationProps) {
  const texts = useFrameTexts()
  const { language } = usePreferences()
  return (
    <nav aria-label={texts.navigation} className="grow overflow-y-auto px-3 py-2">
      <ul className="flex flex-col gap-0.5">
        {navigationOf(user).map(({ to, nav }) => {
          const Icon = nav.icon
          return (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={ENTRY}>
                <Icon aria-hidden className="size-4.5 shrink-0" />
                {nav[language]}
                {badges[to]}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
