/** The bar of filters above a list, bound to the address by the page's `useUrlState`. */
import { Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../button.tsx'
import type { Choice } from '../form/field.tsx'
import { Select } from '../form/select.tsx'
import { usePartTexts } from '../part-texts.ts'

interface FiltersProps {
  /** Shows the button that clears all. */
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}

export function Filters({ isFiltered, onClear, children }: FiltersProps) {
  const texts = usePartTexts()
  return (
    <search className="flex flex-wrap items-start gap-2 border-b px-5 py-3">
      {children}
      {isFiltered && (
        <Button kind="plain" size="small" icon={X} onClick={onClear} className="my-1">
          {texts.clearFilters}
        </Button>
      )}
    </search>
  )
}

interface SelectFilterProps<T extends string> {
  readonly label: string
  readonly value: T | ''
  readonly choices: readonly Choice<T>[]
  readonly onValue: (value: T | '') => void
}

/** The label is the entry for no filter. */
export function SelectFilter<T extends string>({ choices, ...rest }: SelectFilterProps<T>) {
  return <Select<T | ''> className="max-w-52" choices={[{ value: '', label: rest.label }, ...choices]} {...rest} />
}

interface TextFilterProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: 'search' | 'date' | 'datetime-local' | undefined
  /** What is wrong with a text, which then does not take effect; undefined if nothing is. */
  readonly check?: ((text: string) => string | undefined) | undefined
  /** What the API found wrong with the value. */
  readonly error?: string | undefined
}

/** Takes effect on Enter and when it loses the focus, so that typing sends no requests. */
export function TextFilter({ label, value, onValue, type = 'search', check, error }: TextFilterProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [found, setFound] = useState<string>()
  useEffect(() => setText(value), [value])
  const apply = () => {
    const problem = text.trim() === '' ? undefined : check?.(text.trim())
    setFound(problem)
    if (problem === undefined && text.trim() !== value) onValue(text.trim())
  }
  const problem = found ?? error
  return (
    <div className="relative min-w-40 max-sm:grow">
      {type === 'search' && (
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-faint" />
      )}
      <div className="flex items-center gap-2">
        {/* The browser shows a pattern of a date in its place. */}
        {type !== 'search' && (
          <span aria-hidden className="shrink-0 text-sm text-muted">
            {label}
          </span>
        )}
        <input
          type={type}
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          placeholder={label}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
          className={type === 'search' ? 'input-box pl-8' : 'input-box'}
        />
      </div>
      {problem !== undefined && (
        <p id={id} role="alert" className="mt-1 max-w-60 text-sm text-bad max-sm:max-w-none">
          {problem}
        </p>
      )}
    </div>
  )
}
