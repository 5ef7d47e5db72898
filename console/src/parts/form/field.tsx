/** Labelled inputs with hint and error. `useForm` supplies name, value, change and error of each. */
import { type ComponentProps, type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'
import { usePartTexts } from '../part-texts.ts'

/** What a form supplies for one field. */
export interface FieldBinding<T> {
  readonly name: string
  readonly value: T
  readonly onValue: (value: T) => void
  readonly error?: string | undefined
}

interface FieldText {
  readonly label: string
  /** One sentence below the label. */
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Marks the label; fields are required unless it is set. */
  readonly optional?: boolean | undefined
}

interface FieldFrameProps extends FieldText {
  readonly className?: string | undefined
  readonly children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}

/** Label, hint and error around any input. */
export function FieldFrame({ label, hint, error, optional = false, className, children }: FieldFrameProps) {
  const id = useId()
  const texts = usePartTexts()
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = described.filter((each) => each !== '').join(' ')
  return (
    <div className={classes('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-faint"> ({texts.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error !== undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

/** Fields that belong together, in a frame with a label. */
export function FieldGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className="rounded-lg border p-4">
      <legend className="px-1 font-medium">{label}</legend>
      {children}
    </fieldset>
  )
}

type InputRest = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'>

export function TextField(props: FieldText & FieldBinding<string> & InputRest) {
  const { label, hint, error, optional, onValue, ...input } = props
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          {...ids}
          required={optional !== true}
          onChange={(event) => onValue(event.target.value)}
          className="input-box"
        />
      )}
    </FieldFrame>
  )
}

type AreaRest = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'>

/** `code` shows fixed width. */
export function TextArea(props: FieldText & FieldBinding<string> & AreaRest & { readonly code?: boolean }) {
  const { label, hint, error, optional, onValue, rows = 4, code = false, ...input } = props
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(ids) => (
        <textarea
          {...input}
          {...ids}
          rows={rows}
          required={optional !== true}
          onChange={(event) => onValue(event.target.value)}
          className={classes('input-box h-auto resize-y py-2', code && 'font-mono text-sm')}
        />
      )}
    </FieldFrame>
  )
}

export interface Choice<T extends string = string> {
  readonly value: T
  readonly label: string
}

interface SelectFieldProps<T extends string> extends FieldText, FieldBinding<T> {
  readonly choices: readonly Choice<T>[]
  /** The first entry for no value; without it every value is one of the choices. */
  readonly none?: string | undefined
  readonly disabled?: boolean | undefined
}

/** The browser's own select: the best one on phones and for screen readers. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, hint, error, optional, onValue, choices, none, ...select } = props
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(ids) => (
        <select {...select} {...ids} onChange={(event) => onValue(event.target.value as T)} className="input-box">
          {none !== undefined && <option value="">{none}</option>}
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

interface CheckboxProps extends FieldBinding<boolean> {
  readonly label: string
  readonly hint?: ReactNode
  readonly disabled?: boolean | undefined
}

export function Checkbox({ label, hint, error, value, onValue, name, disabled = false }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex gap-2.5">
      <input
        id={id}
        type="checkbox"
        name={name}
        checked={value}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onValue(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
        {error !== undefined && <p className="text-sm text-bad">{error}</p>}
      </div>
    </div>
  )
}
