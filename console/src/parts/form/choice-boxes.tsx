/** Several choices of a list: one box for each. */
import type { ReactNode } from 'react'
import type { Choice, FieldBinding } from './field.tsx'

interface ChoiceBoxesProps<T extends string> extends FieldBinding<readonly T[]> {
  readonly label: string
  readonly hint?: ReactNode
  readonly choices: readonly Choice<T>[]
}

/** The value has the order of the choices. */
export function ChoiceBoxes<T extends string>({ label, hint, choices, value, onValue, error }: ChoiceBoxesProps<T>) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{label}</legend>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={value.includes(choice.value)}
              onChange={({ target }) =>
                onValue(
                  choices
                    .map((each) => each.value)
                    .filter((each) => (each === choice.value ? target.checked : value.includes(each))),
                )
              }
            />
            {choice.label}
          </label>
        ))}
      </div>
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  )
}
