/**
 * State in the address, so that a view can be shared and the back button works. Values that break the rule of their
 * field are ignored.
 */
import { useNavigate, useSearch } from '@tanstack/react-router'

/** One field: reads a text, or returns null for an invalid one; `initial` is not written into the address. */
export interface UrlField<T> {
  readonly initial: T
  read(text: string): T | null
  write(value: T): string
}

type Fields = Readonly<Record<string, UrlField<unknown>>>
type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends UrlField<infer T> ? T : never }

const MAX_TEXT = 200

export const urlText = (initial = ''): UrlField<string> => ({
  initial,
  read: (text) => (text.length <= MAX_TEXT ? text : null),
  write: (value) => value,
})

export const urlChoice = <T extends string>(values: readonly T[], initial: T): UrlField<T> => ({
  initial,
  read: (text) => values.find((value) => value === text) ?? null,
  write: (value) => value,
})

/** A positive integer, such as an account; null if absent. */
export const urlNumber = (): UrlField<number | null> => ({
  initial: null,
  read: (text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : null),
  write: (value) => (value === null ? '' : String(value)),
})

/** Declare the fields outside the component. Changes replace the address; `push` adds one to the history. */
export function useUrlState<F extends Fields>(fields: F) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const text = search[name]
      return [name, typeof text === 'string' ? (field.read(text) ?? field.initial) : field.initial]
    }),
  ) as unknown as ValuesOf<F>
  const change = (some: Partial<ValuesOf<F>>, { push = false } = {}) => {
    const next: Record<string, unknown> = { ...search }
    for (const [name, value] of Object.entries(some)) {
      const field = fields[name] as UrlField<unknown> | undefined
      if (field === undefined) continue
      if (value === field.initial) delete next[name]
      else next[name] = field.write(value)
    }
    void navigate({ to: '.', search: next as never, replace: !push, resetScroll: false })
  }
  return [values, change] as const
}
