/** The menu of the signed-in user: language, appearance, log out. */
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Clock, LogOut, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/api.ts'
import { useMe } from '../api/me.ts'
import { messageOf } from '../api/problem.ts'
import { queryClient } from '../api/queries.ts'
import { Menu, MenuChoices, MenuItem, MenuLine, MenuLink } from '../parts/overlay/menu.tsx'
import { toast } from '../parts/overlay/toast.tsx'
import { prepareGatewayTexts } from '../texts/gateway-texts.ts'
import { setPreferences, usePreferences, useZone } from '../texts/language.ts'
import { useFrameTexts } from './frame-texts.ts'
import { ZoneDialog } from './zone-dialog.tsx'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
] as const
const THEMES = ['system', 'light', 'dark'] as const

interface UserMenuProps {
  readonly user: string
  readonly role: string
}

export function UserMenu({ user, role }: UserMenuProps) {
  const texts = useFrameTexts()
  const { language, theme } = usePreferences()
  const zone = useZone()
  const [isChoosing, setChoosing] = useState(false)
  const navigate = useNavigate()
  const me = useMe()
  const logOut = async () => {
    try {
      // A provider that is away keeps the session there, not here.
      const atProvider = me?.sso === true ? await api.post('/session/sso/end').catch(() => null) : null
      await api.delete('/session')
      queryClient.clear()
      if (typeof atProvider?.address === 'string') window.location.assign(atProvider.address)
      else await navigate({ to: '/login' })
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  }
  const trigger = (
    <button type="button" className="flex w-full items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-ink uppercase"
      >
        {user.slice(0, 1)}
      </span>
      <span className="sr-only">{texts.userMenu}</span>
      <span className="min-w-0 grow">
        <span className="block truncate font-medium">{user}</span>
        <span className="block truncate text-xs text-muted">{texts.roles[role] ?? role}</span>
      </span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
    </button>
  )
  return (
    <div className="border-t p-2">
      <Menu trigger={trigger} side="top" align="start">
        <MenuChoices
          label={texts.language}
          value={language}
          choices={LANGUAGES}
          onValue={(chosen) => void prepareGatewayTexts(chosen).then(() => setPreferences({ language: chosen }))}
        />
        <MenuLine />
        <MenuChoices
          label={texts.theme}
          value={theme}
          choices={THEMES.map((value) => ({ value, label: texts.themes[value] }))}
          onValue={(chosen) => setPreferences({ theme: chosen })}
        />
        <MenuLine />
        <MenuItem icon={Clock} onSelect={() => setChoosing(true)}>
          {texts.zoneItem(zone.replaceAll('_', ' '))}
        </MenuItem>
        <MenuLink icon={ShieldCheck} to="/security">
          {texts.security}
        </MenuLink>
        <MenuItem icon={LogOut} onSelect={() => void logOut()}>
          {texts.logOut}
        </MenuItem>
      </Menu>
      {isChoosing && <ZoneDialog onClose={() => setChoosing(false)} />}
    </div>
  )
}
