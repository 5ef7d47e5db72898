/** Which operations a key permits: one box for each scope. */
import type { FieldBinding } from '../../parts/form/field.tsx'
import { SCOPES, type Scope } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

export function ScopeBoxes({ value, onValue, error }: FieldBinding<readonly Scope[]>) {
  const texts = useKeyTexts()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{texts.scopes}</legend>
      <p className="text-sm text-muted">{texts.scopesHint}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={value.includes(scope)}
              onChange={({ target }) =>
                onValue(SCOPES.filter((each) => (each === scope ? target.checked : value.includes(each))))
              }
            />
            {texts.scope[scope]}
          </label>
        ))}
      </div>
      {error !== undefined && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  )
}
