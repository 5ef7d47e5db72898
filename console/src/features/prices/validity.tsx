/** When a price or a cost is valid: in a list, and as fields of a form. */
import { Checkbox, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePriceTexts } from './price-texts.ts'

interface ValidityValues {
  readonly from: string
  readonly until: string
  readonly end_previous: boolean
}

/** Values of the fields for a rate that begins and ends like this one. */
export function validityValues(rate: { readonly from: string | null; readonly until: string | null } | null) {
  return { from: rate?.from ?? '', until: rate?.until ?? '', end_previous: false }
}

export function readValidity({ from, until, end_previous }: ValidityValues) {
  return { from: from.trim() || null, until: until.trim() || null, end_previous }
}

export function ValidityFields({ form }: { readonly form: Pick<FormState<ValidityValues>, 'field' | 'values'> }) {
  const texts = usePriceTexts()
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={texts.from} hint={texts.fromHint} optional {...form.field('from')} />
        <TextField label={texts.until} hint={texts.untilHint} optional {...form.field('until')} />
      </div>
      {form.values.from !== '' && <Checkbox label={texts.endPrevious} {...form.field('end_previous')} />}
    </>
  )
}

export function Validity({ from, until }: { readonly from: string | null; readonly until: string | null }) {
  const texts = usePriceTexts()
  const formats = useFormats()
  const parts = [
    from === null ? '' : texts.fromDay(formats.moment(from)),
    until === null ? '' : texts.untilDay(formats.moment(until)),
  ]
  return <>{parts.filter((part) => part !== '').join(' ') || texts.always}</>
}
