/** The traffic class of what a key or a login sends. */
import { useMe } from '../../api/me.ts'
import { type FieldBinding, SelectField } from '../../parts/form/field.tsx'
import type { Key } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

type TrafficClass = NonNullable<Key['priority']>
/** Empty for that of each operation. */
export type PriorityInput = TrafficClass | ''

const CLASSES: readonly TrafficClass[] = ['otp', 'transactional', 'bulk']

export function PriorityField(binding: FieldBinding<PriorityInput>) {
  const texts = useKeyTexts()
  const account = useMe()?.account ?? null
  // Users of an account cannot give codes priority, and may keep what the operator gave.
  const offered = CLASSES.filter((each) => account === null || each !== 'otp' || binding.value === 'otp')
  return (
    <SelectField
      label={texts.priority}
      hint={texts.priorityHint}
      none={texts.priorityOfOperation}
      choices={offered.map((value) => ({ value, label: texts.classes[value] }))}
      {...binding}
    />
  )
}
