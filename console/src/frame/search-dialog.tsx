/** Finds pages, settings, messages, accounts, carriers, price groups and senders. Arrows move, Enter opens. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { classes } from '../parts/classes.ts'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { usePreferences } from '../texts/language.ts'
import { useFrameTexts } from './frame-texts.ts'
import type { NavigatingUser } from './page-access.ts'
import { type Found, keyOf, searchPages, searchRecords } from './search.ts'

const PAUSE_MS = 250

interface SearchDialogProps {
  readonly user: NavigatingUser
  readonly open: boolean
  readonly onClose: () => void
}

export function SearchDialog({ user, open, onClose }: SearchDialogProps) {
  const texts = useFrameTexts()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.search}
      description={user.account === null ? texts.searchHint : texts.searchHintOfClient}
    >
      <SearchBox user={user} onClose={onClose} />
    </Dialog>
  )
}

function SearchBox({ user, onClose }: Omit<SearchDialogProps, 'open'>) {
  const texts = useFrameTexts()
  const { language } = usePreferences()
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [active, setActive] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: records = [], isFetching } = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => searchRecords(user, asked, signal),
    enabled: asked.length > 0,
    gcTime: 0,
  })
  const found = [...searchPages(user, text, language), ...(asked === '' ? [] : records)]
  const at = Math.min(active, found.length - 1)
  const go = (target: Found | undefined) => {
    if (target === undefined) return
    onClose()
    const { path, tab } = target.to
    void navigate({ to: path, search: (tab === undefined ? {} : { tab }) as never })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step === 0) go(found[at])
    else setActive(Math.max(0, Math.min(found.length - 1, at + step)))
  }
  const isSettled = text.trim() === asked && !isFetching
  return (
    <>
      <input
        role="combobox"
        aria-label={texts.search}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        className="input-box"
      />
      <p role="status" className="min-h-6 pt-2 text-sm text-muted">
        {asked !== '' && isSettled && found.length === 0 && texts.searchEmpty}
      </p>
      <div id={listId} role="listbox" aria-label={texts.search} tabIndex={-1}>
        {found.map((each, index) => (
          <div
            key={keyOf(each)}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault()
              go(each)
            }}
            className={classes(
              'flex items-baseline justify-between gap-4 rounded-md px-2.5 py-2',
              index === at && 'bg-hover',
            )}
          >
            <span className="min-w-0 truncate font-medium">
              {each.kind === 'message' ? texts.searchMessage(each.id) : each.title}
            </span>
            <span className="min-w-0 truncate text-sm text-muted">{noteOf(each, texts)}</span>
          </div>
        ))}
      </div>
    </>
  )
}

function noteOf(found: Found, texts: ReturnType<typeof useFrameTexts>): string {
  if (found.kind === 'message') return found.note
  if (found.kind === 'sender') return `${texts.searchSender} · ${found.note}`
  return {
    page: texts.searchPage,
    account: texts.searchAccount,
    carrier: texts.searchCarrier,
    group: texts.searchGroup,
  }[found.kind]
}
