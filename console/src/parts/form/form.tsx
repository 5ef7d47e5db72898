/**
 * Forms: values, sending, field errors from problem documents. An error loses no input. A repeat of the same input has
 * the same idempotency key, so a request whose answer was lost is not executed twice.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { makeRequestKey } from '../../api/api.ts'
import { ApiError, messageOf } from '../../api/problem.ts'
import { Button, type ButtonKind } from '../button.tsx'
import { Notice } from '../page/states.tsx'
import { usePartTexts } from '../part-texts.ts'
import type { FieldBinding } from './field.tsx'

const PRECONDITION_FAILED = 412

interface FormDraft<V extends object, A> {
  readonly initial: V
  /** Sends the values; `key` is the idempotency key. */
  readonly send: (values: V, key: string) => Promise<A>
  readonly done?: ((answer: A) => void) | undefined
}

export interface FormState<V extends object> {
  readonly values: V
  readonly isSending: boolean
  /** The error that belongs to no field. */
  readonly problem: string | null
  /** For `<TextField {...form.field('name')} />`. */
  field<K extends keyof V & string>(name: K): FieldBinding<V[K]>
  /** The errors of a field that holds an object, by the path inside of it. */
  errorsIn(name: keyof V & string): ReadonlyMap<string, string>
  change(values: Partial<V>): void
  /** Shows no error until the next try. */
  forgive(): void
  reset(): void
  submit(): void
}

export function useForm<V extends object, A>({ initial, send, done }: FormDraft<V, A>): FormState<V> {
  const [values, setValues] = useState(initial)
  const [error, setError] = useState<unknown>(null)
  /** Fields that were changed since the error. */
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  const key = useRef(makeRequestKey())
  const change = (some: Partial<V>) => {
    key.current = makeRequestKey()
    setValues((before) => ({ ...before, ...some }))
    setCorrected((before) => [...new Set([...before, ...Object.keys(some)])])
  }
  const submit = async () => {
    if (isSending) return
    setSending(true)
    setError(null)
    try {
      const answer = await send(values, key.current)
      key.current = makeRequestKey()
      setSending(false)
      done?.(answer)
    } catch (caught) {
      // A definite refusal may be followed by another attempt; only an unclear one is repeated with its key.
      if (!(caught instanceof ApiError && caught.isUnclear)) key.current = makeRequestKey()
      setError(caught)
      setCorrected([])
      setSending(false)
    }
  }
  const texts = usePartTexts()
  const fields = error instanceof ApiError ? error.fields : []
  const isOutdated = error instanceof ApiError && error.status === PRECONDITION_FAILED
  const unknown = fields.filter(({ field }) => !(field in values))
  return {
    values,
    isSending,
    problem:
      error === null || (fields.length > 0 && unknown.length === 0)
        ? null
        : isOutdated
          ? texts.outdated
          : messageOf(error),
    field: (name) => ({
      name,
      value: values[name],
      onValue: (value) => change({ [name]: value } as unknown as Partial<V>),
      error: corrected.includes(name)
        ? undefined
        : fields.find(({ field }) => field === name || field.startsWith(`${name}.`))?.detail,
    }),
    errorsIn: (name) => {
      const inside = corrected.includes(name) ? [] : fields.filter(({ field }) => field.startsWith(`${name}.`))
      return new Map(inside.map(({ field, detail }) => [field.slice(name.length + 1), detail]))
    },
    change,
    forgive: () => setError(null),
    reset: () => {
      setValues(initial)
      setError(null)
    },
    submit: () => void submit(),
  }
}

interface FormProps<V extends object> {
  readonly form: FormState<V>
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** Sends on Enter and shows the problem above its fields. */
export function Form<V extends object>({ form, children, className }: FormProps<V>) {
  const element = useRef<HTMLFormElement>(null)
  const wasSent = useRef(false)
  useEffect(() => {
    // A long form may show what is wrong out of sight.
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wasSent.current && !form.isSending) {
      if (wrong === null || wrong === undefined) element.current?.querySelector('[role=alert]')?.scrollIntoView()
      else wrong.focus()
    }
    wasSent.current = form.isSending
  }, [form.isSending])
  return (
    <form
      ref={element}
      noValidate
      className={className ?? 'flex flex-col gap-4'}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        // What an input says of itself, such as a search of which nothing was chosen.
        const unfinished = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input, textarea')].find(
          (input) => input.validity.customError,
        )
        if (unfinished === undefined) form.submit()
        else unfinished.focus()
      }}
    >
      {form.problem !== null && <Notice kind="bad">{form.problem}</Notice>}
      {children}
    </form>
  )
}

interface SubmitButtonProps {
  readonly form: FormState<never> | { readonly isSending: boolean }
  readonly kind?: ButtonKind | undefined
  readonly disabled?: boolean | undefined
  readonly className?: string
  readonly children: ReactNode
}

export function SubmitButton({ form, kind = 'primary', disabled = false, className, children }: SubmitButtonProps) {
  return (
    <Button type="submit" kind={kind} busy={form.isSending} disabled={disabled} className={className}>
      {children}
    </Button>
  )
}
