/** Which operations a key permits: one box for each scope. */
import { ChoiceBoxes } from '../../parts/form/choice-boxes.tsx'
import type { FieldBinding } from '../../parts/form/field.tsx'
import { SCOPES, type Scope } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

export function ScopeBoxes(binding: FieldBinding<readonly Scope[]>) {
  const texts = useKeyTexts()
  const choices = SCOPES.map((value) => ({ value, label: texts.scope[value] }))
  return <ChoiceBoxes {...binding} label={texts.scopes} hint={texts.scopesHint} choices={choices} />
}
