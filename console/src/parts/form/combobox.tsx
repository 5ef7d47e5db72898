/**
 * A text box that searches as the user types and offers matches, for lists too long for a select. Follows the ARIA
 * combobox pattern: arrows move, Enter chooses, Escape closes. Text that is left takes its only match; other text stays
 * with an error and keeps the form from being sent, because an empty field may mean "all".
 */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../classes.ts'
import { usePartTexts } from '../part-texts.ts'
import { useSettled } from '../settled.ts'
import { type Choice, FieldFrame } from './field.tsx'

interface ComboboxProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly optional?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** Without a visible label, above lists. */
  readonly bare?: boolean | undefined
  /** Shown while nothing is chosen. */
  readonly placeholder?: string | undefined
  /** Cache key of the list: `accounts`. */
  readonly name: string
  readonly value: Choice | null
  readonly onValue: (choice: Choice | null) => void
  /** Returns at most about 20 matches of the text. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
}

export function Combobox(props: ComboboxProps) {
  const { label, hint, error, optional, disabled, bare = false, placeholder, name, value, onValue, search } = props
  const texts = usePartTexts()
  const [text, setText] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const [active, setActive] = useState(0)
  const listId = useId()
  const isOpen = text !== null && !isLeft
  const asked = useSettled(text ?? '')
  const { data: found } = useQuery({
    queryKey: ['combobox', name, asked],
    queryFn: ({ signal }) => search(asked.trim(), signal),
    enabled: text !== null,
  })
  // While the search follows the typing, its matches are those of an earlier text.
  const isCurrent = found !== undefined && asked === text
  const matches = found ?? []
  const choose = (choice: Choice | undefined) => {
    if (choice !== undefined) onValue(choice)
    setText(null)
    setLeft(false)
  }
  const open = (next: string) => {
    setText(next)
    setLeft(false)
    setActive(0)
  }
  const leave = () => (bare || text === null || text.trim() === '' ? choose(undefined) : setLeft(true))
  useEffect(() => {
    if (!isLeft || !isCurrent) return
    const meant = onlyMatch(found, asked.trim())
    if (meant === undefined) return
    onValue(meant)
    setText(null)
    setLeft(false)
  })
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isLeft ? texts.chooseOne : ''), [isLeft, texts])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (step !== 0) {
      event.preventDefault()
      if (isOpen) setActive((at) => Math.max(0, Math.min(matches.length - 1, at + step)))
      else open(text ?? '')
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (isCurrent && matches[active] !== undefined) choose(matches[active])
      else if (text.trim() !== '') leave()
    } else if (event.key === 'Escape' && text !== null) {
      event.stopPropagation()
      choose(undefined)
    }
  }
  const draw = (ids: object) => (
    <div className="relative">
      <input
        {...ids}
        ref={input}
        role="combobox"
        disabled={disabled}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && matches.length > 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={text ?? value?.label ?? ''}
        onChange={(event) => {
          open(event.target.value)
          if (event.target.value === '' && value !== null) onValue(null)
        }}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onClick={() => text === null && open('')}
        onKeyDown={onKeyDown}
        className="input-box"
      />
      {isOpen && <Matches {...{ listId, label, matches, active, choose }} />}
    </div>
  )
  if (bare) return draw({ 'aria-label': label })
  const wrong = isLeft && isCurrent ? texts.chooseOne : error
  return <FieldFrame {...{ label, hint, optional, error: wrong }}>{draw}</FieldFrame>
}

/** Returns what a text means without a choice: the entry with this value, or the only match. */
function onlyMatch(matches: readonly Choice[], text: string): Choice | undefined {
  return matches.find(({ value }) => value === text) ?? (matches.length === 1 ? matches[0] : undefined)
}

interface MatchesProps {
  readonly listId: string
  readonly label: string
  readonly matches: readonly Choice[]
  readonly active: number
  readonly choose: (choice: Choice) => void
}

function Matches({ listId, label, matches, active, choose }: MatchesProps) {
  const texts = usePartTexts()
  return (
    <div className="float-box absolute top-full z-30 mt-1 max-h-64 w-full overflow-y-auto p-1.5">
      {matches.length === 0 && (
        <p role="status" className="px-2.5 py-1.5 text-muted">
          {texts.noMatch}
        </p>
      )}
      <div id={listId} role="listbox" aria-label={label} tabIndex={-1}>
        {matches.map((choice, index) => (
          <div
            key={choice.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Before the text box loses the focus.
            onPointerDown={(event) => {
              event.preventDefault()
              choose(choice)
            }}
            className={classes('truncate rounded-md px-2.5 py-1.5', index === active && 'bg-hover')}
          >
            {choice.label}
          </div>
        ))}
      </div>
    </div>
  )
}
