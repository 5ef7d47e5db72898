/** Starts or continues a bulk, now or at a time, after saying how many lines are left and what they cost. */
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { type Bulk, readAgain } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'

const WHENS = ['now', 'later'] as const
interface Start {
  readonly when: (typeof WHENS)[number]
  /** In the zone of the browser. */
  readonly start_at: string
  readonly ignore_balance: boolean
}
const NOW: Start = { when: 'now', start_at: '', ignore_balance: false }

interface StartDialogProps {
  readonly bulk: Bulk
  readonly onClose: () => void
}

export function StartDialog({ bulk, onClose }: StartDialogProps) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  const { account, waiting, waiting_cost: cost, currency, state } = bulk
  const isPaused = state === 'paused'
  const { data: balance } = useApi(
    '/accounts/{account}/balance',
    { params: { account } },
    { enabled: useMay()('showBalance') },
  )
  const form = useForm({
    initial: NOW,
    send: (values, key) =>
      api.post('/accounts/{account}/bulks/{bulk}/start', {
        params: { account, bulk: bulk.bulk },
        body: bodyOf(values),
        key,
      }),
    done: () => {
      readAgain()
      onClose()
    },
  })
  const isShort = balance !== undefined && !bulk.test && balance.available < cost && state === 'uploading'
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={isPaused ? texts.goOnTitle(bulk.bulk) : texts.startTitle(bulk.bulk)}
      action={isPaused ? texts.goOn : texts.start}
      disabled={form.values.when === 'later' && form.values.start_at === ''}
    >
      <p>
        {(isPaused ? texts.goOnText : texts.startText)(texts.toSend(waiting), formats.money(cost, currency))}{' '}
        {balance !== undefined && !bulk.test && texts.balance(formats.money(balance.available, balance.currency))}
      </p>
      {isShort && <Notice kind="warn">{texts.notCovered}</Notice>}
      <SelectField
        {...form.field('when')}
        label={texts.when}
        choices={WHENS.map((value) => ({ value, label: texts.whens[value] }))}
      />
      {form.values.when === 'later' && (
        <TextField {...form.field('start_at')} type="datetime-local" label={texts.startAt} hint={texts.startAtHint} />
      )}
      {isShort && (
        <Checkbox {...form.field('ignore_balance')} label={texts.ignoreBalance} hint={texts.ignoreBalanceHint} />
      )}
    </FormDialog>
  )
}

function bodyOf({ when, start_at, ignore_balance }: Start) {
  return { ignore_balance, ...(when === 'later' ? { start_at: new Date(start_at).toISOString() } : {}) }
}
