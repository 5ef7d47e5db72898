/** Keyboard shortcuts: `/` opens the search, `?` lists them. */
import { Search } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { useFrameTexts } from './frame-texts.ts'
import type { NavigatingUser } from './page-access.ts'
import { SearchDialog } from './search-dialog.tsx'

type Open = 'search' | 'help' | null

const listeners = new Set<() => void>()
let open: Open = null

function show(next: Open): void {
  open = next
  for (const listener of listeners) listener()
}

function useOpen(): Open {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
}

/** Shown once by the frame. */
export function Shortcuts({ user }: { readonly user: NavigatingUser }) {
  const texts = useFrameTexts()
  const shown = useOpen()
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const keys = [
    { key: '/', text: texts.shortcuts.search },
    { key: '?', text: texts.shortcuts.help },
    { key: 'Esc', text: texts.shortcuts.close },
  ]
  return (
    <>
      <SearchDialog user={user} open={shown === 'search'} onClose={() => show(null)} />
      <Dialog open={shown === 'help'} onClose={() => show(null)} title={texts.keys}>
        <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 gap-y-2.5">
          {keys.map(({ key, text }) => (
            <div key={key} className="contents">
              <dt>
                <Key name={key} />
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}

/** Not while the user types, and not over an open dialog. */
function onKeyDown(event: KeyboardEvent): void {
  const { key, target } = event
  const isTyping = target instanceof HTMLElement && target.closest('input,textarea,select,[role=dialog]') !== null
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || open !== null) return
  if (key !== '/' && key !== '?') return
  event.preventDefault()
  show(key === '/' ? 'search' : 'help')
}

function Key({ name }: { readonly name: string }) {
  return (
    <kbd className="inline-grid h-6 min-w-6 place-items-center rounded border border-line-strong bg-sunken px-1.5 font-mono text-xs text-muted">
      {name}
    </kbd>
  )
}

export function SearchButton({ isIcon = false }: { readonly isIcon?: boolean }) {
  const texts = useFrameTexts()
  const search = () => show('search')
  if (isIcon) return <IconButton label={texts.search} icon={Search} onClick={search} className="ml-auto" />
  return (
    <div className="px-3">
      <button
        type="button"
        onClick={search}
        className="flex h-9 w-full items-center gap-2.5 rounded-md border border-line-strong px-2.5 text-muted hover:bg-hover"
      >
        <Search aria-hidden className="size-4" />
        <span className="grow text-left">{texts.search}</span>
        <span aria-hidden>
          <Key name="/" />
        </span>
      </button>
    </div>
  )
}
