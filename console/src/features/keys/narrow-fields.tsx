/** From where a key is accepted, how fast it may ask, its priority: fields of its forms, which may be empty. */
import { readWhole } from '../../parts/form/decimal.ts'
import { TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { splitList } from '../../parts/form/split-list.ts'
import type { Key } from './key.ts'
import { useKeyTexts } from './key-texts.ts'
import { PriorityField, type PriorityInput } from './priority-field.tsx'

/** As the user types it. */
export interface Narrowing {
  readonly networks: string
  readonly operations_per_second: string
  readonly priority: PriorityInput
}

export const NOT_NARROWED: Narrowing = { networks: '', operations_per_second: '', priority: '' }

export function NarrowFields({ form }: { readonly form: Pick<FormState<Narrowing>, 'field'> }) {
  const texts = useKeyTexts()
  return (
    <>
      <TextField label={texts.networks} hint={texts.networksHint} optional {...form.field('networks')} />
      <TextField
        label={texts.perSecond}
        hint={texts.perSecondHint}
        inputMode="numeric"
        optional
        {...form.field('operations_per_second')}
      />
      <PriorityField {...form.field('priority')} />
    </>
  )
}

export function writeNarrowing({ networks, operations_per_second: perSecond, priority }: Key): Narrowing {
  return {
    networks: (networks ?? []).join(', '),
    operations_per_second: perSecond === null ? '' : String(perSecond),
    priority: priority ?? '',
  }
}

/** Returns them as the API takes them. Throws ApiError for what is not a number. */
export function readNarrowing(
  { networks, operations_per_second: perSecond, priority }: Narrowing,
  wrongNumber: string,
) {
  const list = splitList(networks, ',')
  return {
    networks: list.length === 0 ? null : [...list],
    operations_per_second: perSecond.trim() === '' ? null : readWhole('operations_per_second', perSecond, wrongNumber),
    priority: priority === '' ? null : priority,
  }
}
