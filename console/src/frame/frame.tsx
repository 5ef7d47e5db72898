/** Navigation, header and contents of a signed-in user. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useUnacknowledgedAlarms } from '../api/live.ts'
import { roleMay, useMe } from '../api/me.ts'
import { queryClient } from '../api/queries.ts'
import { useSilence } from '../api/silence.ts'
import { IconButton } from '../parts/button.tsx'
import { classes } from '../parts/classes.ts'
import { PageAccess } from '../parts/list/has-page.ts'
import { Toasts } from '../parts/overlay/toast.tsx'
import { TabPrefix } from '../parts/page/page.tsx'
import { Loading, Notice } from '../parts/page/states.tsx'
import { useFormats } from '../texts/formats.ts'
import { IsClient } from '../texts/texts.ts'
import { AlarmAnnouncement, AlarmBadge, tabPrefixOf } from './alarm-badge.tsx'
import { useFrameTexts } from './frame-texts.ts'
import { Brand, Navigation } from './navigation.tsx'
import { hasPage } from './page-access.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { SetUpPrompt } from './set-up-prompt.tsx'
import { SearchButton, Shortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

export function Frame() {
  const texts = useFrameTexts()
  const me = useMe()
  const alarms = useUnacknowledgedAlarms(roleMay(me?.role, 'listAlarms'))
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' })
  const main = useRef<HTMLElement>(null)
  useFocusAfterNavigation(main, path)
  const drawer = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the page changes
  useEffect(() => setDrawerOpen(false), [path])
  useEffect(() => {
    if (isDrawerOpen) drawer.current?.querySelector<HTMLElement>('a[aria-current=page], a, button')?.focus()
  }, [isDrawerOpen])
  if (me === undefined) return null
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)]">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {texts.skip}
      </button>
      {isDrawerOpen && (
        <div aria-hidden className="fixed inset-0 z-30 bg-black/45 md:hidden" onClick={() => setDrawerOpen(false)} />
      )}
      <aside
        id="drawer"
        ref={drawer}
        onKeyDown={(event) => event.key === 'Escape' && setDrawerOpen(false)}
        className={classes(
          'z-30 flex h-dvh w-[232px] flex-col border-r bg-surface max-md:fixed max-md:inset-y-0 max-md:left-0 md:sticky md:top-0',
          !isDrawerOpen && 'max-md:hidden',
        )}
      >
        <div className="flex h-15 shrink-0 items-center px-4.5">
          <Brand />
        </div>
        <SearchButton />
        <Navigation user={me} badges={{ '/alarms': <AlarmBadge alarms={alarms} /> }} />
        <UserMenu user={me.user} role={me.role} />
      </aside>
      <div className="min-w-0">
        <header className="flex h-13 items-center gap-2 border-b bg-surface px-3 md:hidden">
          <IconButton
            label={isDrawerOpen ? texts.closeMenu : texts.openMenu}
            icon={isDrawerOpen ? X : MenuIcon}
            aria-expanded={isDrawerOpen}
            aria-controls="drawer"
            onClick={() => setDrawerOpen(!isDrawerOpen)}
          />
          <Brand />
          {alarms.count > 0 && !isDrawerOpen && (
            <Link to="/alarms" className="flex p-2">
              <AlarmBadge alarms={alarms} />
            </Link>
          )}
          <SearchButton isIcon />
        </header>
        <main ref={main} id="content" tabIndex={-1} className="mx-auto max-w-7xl px-4 py-6 sm:px-6 lg:px-8">
          <IsClient value={me.account !== null}>
            <PageAccess value={(asked) => hasPage(me.role, asked)}>
              <TabPrefix value={tabPrefixOf(alarms)}>
                <Silence />
                <Suspense fallback={<Loading />}>
                  <Outlet />
                </Suspense>
              </TabPrefix>
            </PageAccess>
          </IsClient>
        </main>
      </div>
      <Shortcuts user={me} />
      <ProofDialog />
      <SetUpPrompt me={me} />
      <AlarmAnnouncement alarms={alarms} />
      <Toasts />
    </div>
  )
}

/** What a page shows while the gateway does not answer may be wrong by now. Reads everything again once it answers. */
function Silence() {
  const texts = useFrameTexts()
  const formats = useFormats()
  const since = useSilence()
  const wasSilent = useRef(false)
  useEffect(() => {
    if (since === null && wasSilent.current) void queryClient.invalidateQueries()
    wasSilent.current = since !== null
  }, [since])
  if (since === null) return null
  return (
    <div className="mb-5">
      <Notice kind="bad">{texts.silence(formats.clock(since))}</Notice>
    </div>
  )
}

/** Moves the focus to the heading of the new page, which screen readers then read. */
function useFocusAfterNavigation(main: React.RefObject<HTMLElement | null>, path: string): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    const isFirst = before.current === null || before.current === ''
    if (before.current === path) return
    before.current = path
    if (isFirst) return
    const focus = () => {
      const heading = main.current?.querySelector<HTMLElement>('h1')
      heading?.focus({ preventScroll: true })
      return heading !== null && heading !== undefined
    }
    if (focus() || main.current === null) return
    // The page is still loading.
    const observer = new MutationObserver(() => focus() && observer.disconnect())
    observer.observe(main.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [main, path])
}
