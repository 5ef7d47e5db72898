/** The currency of prices: a field where the account does not decide it. */
import { TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import type { PriceOwner } from './price.ts'
import { usePriceTexts } from './price-texts.ts'

interface CurrencyFieldProps {
  readonly owner: PriceOwner
  readonly form: Pick<FormState<{ readonly currency: string }>, 'field'>
}

export function CurrencyField({ owner, form }: CurrencyFieldProps) {
  const texts = usePriceTexts()
  if (owner.account !== null) return null
  return <TextField label={texts.currency} maxLength={3} {...form.field('currency')} />
}

export function readCurrency(text: string): string {
  return text.trim().toUpperCase()
}
