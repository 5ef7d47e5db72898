/** Sets one price, and removes it. */
import { api } from '../../api/api.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { readDecimal } from '../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences } from '../../texts/language.ts'
import { CurrencyField, readCurrency } from './currency-field.tsx'
import { invalidatePrices, type Price, type PricedChannel, type PriceOwner } from './price.ts'
import { usePriceTexts, whoseText } from './price-texts.ts'
import { readValidity, ValidityFields, validityValues } from './validity.tsx'

interface PriceDialogProps {
  readonly owner: PriceOwner
  /** The price to start from; null for an empty form. */
  readonly price: Price | null
  readonly onClose: () => void
}

export function PriceDialog({ owner, price, onClose }: PriceDialogProps) {
  const texts = usePriceTexts()
  const { language } = usePreferences()
  const form = useForm({
    initial: {
      currency: price?.currency ?? owner.currency,
      channel: price?.channel ?? ('sms' as PricedChannel),
      prefix: price?.prefix ?? '',
      operator: price?.operator ?? '',
      price: price === null ? '' : String(price.price),
      ...validityValues(price),
    },
    send: (values, key) => {
      const { channel, prefix, operator } = values
      const which = { channel, prefix: prefix.replace(/[\s+]/g, ''), operator: operator.trim() || null }
      const amount = readDecimal('price', values.price, texts.wrongPrice)
      const whose = { account: owner.account, group: owner.group, currency: readCurrency(values.currency) }
      return api.put('/prices', { body: { ...whose, ...which, ...readValidity(values), price: amount }, key })
    },
    done: ({ warning }) => {
      invalidatePrices()
      toast(warning ?? texts.saved, warning === undefined ? 'good' : 'bad')
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.setTitle(whoseText(texts, owner))} form={form} action={texts.save}>
      <SelectField
        label={texts.channel}
        choices={channelChoices(ROUTED_CHANNELS, language)}
        {...form.field('channel')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={texts.prefix} hint={texts.prefixHint} optional {...form.field('prefix')} />
        <TextField label={texts.operator} hint={texts.operatorHint} optional {...form.field('operator')} />
      </div>
      <CurrencyField owner={owner} form={form} />
      <TextField
        label={texts.priceOf(readCurrency(form.values.currency))}
        inputMode="decimal"
        maxLength={20}
        {...form.field('price')}
      />
      <ValidityFields form={form} />
    </FormDialog>
  )
}

export function RemovePriceDialog({ price, onClose }: { readonly price: Price; readonly onClose: () => void }) {
  const texts = usePriceTexts()
  const formats = useFormats()
  const { channel, currency, prefix, operator, from, account, group = null } = price
  const remove = async (key: string) => {
    await api.delete('/prices', { query: { channel, currency, prefix, operator, from, account, group }, key })
    invalidatePrices()
    toast(texts.removed)
  }
  const numbers = [channel, prefix === '' ? texts.all : prefix, operator].filter((each) => each !== null).join(' · ')
  return (
    <ConfirmDialog open danger onClose={onClose} title={texts.removeTitle} action={texts.remove} run={remove}>
      {texts.removeText(numbers, formats.exactMoney(price.price, currency))}{' '}
      {texts.afterwards[account !== null ? 'own' : group === null ? 'general' : 'group']}
    </ConfirmDialog>
  )
}
