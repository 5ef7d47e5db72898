/** A select without a visible label, beside a title or above a list. */
import { classes } from '../classes.ts'
import type { Choice } from './field.tsx'

interface SelectProps<T extends string> {
  /** Read by screen readers. */
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onValue: (value: T) => void
  readonly className?: string | undefined
}

export function Select<T extends string>({ label, value, choices, onValue, className }: SelectProps<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.target.value as T)}
      className={classes('input-box w-auto', className)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
