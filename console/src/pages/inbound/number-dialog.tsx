/** The form of an inbound number, new or present. What identifies a present one cannot be changed. */
import { api } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { changedFields } from '../../parts/form/changed-fields.ts'
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { type InboundNumber, nameOf } from './inbound-number.ts'
import { useInboundTexts } from './texts.ts'

interface NumberDialogProps {
  /** Null for a new one. */
  readonly number: InboundNumber | null
  /** The account of the page, for a new one. */
  readonly account: number | null
  readonly onClose: () => void
}

const MAX_CARRIERS = 1_000

export function NumberDialog({ number, account, onClose }: NumberDialogProps) {
  const texts = useInboundTexts()
  const carriers = useApi('/carriers', { query: { most: MAX_CARRIERS } }, { enabled: number === null })
  const ids = carriers.data?.data.map(({ carrier }) => carrier) ?? []
  const initial = initialOf(number, account)
  const form = useForm({
    initial,
    send: (values, key) => {
      const settings =
        number === null ? readSettings(values) : changedFields(readSettings(initial), readSettings(values))
      return api.put('/inbound-numbers', { body: { ...identityOf(values, number), ...settings }, key })
    },
    done: (saved) => {
      invalidate('/inbound-numbers')
      toast(texts.saved(nameOf(saved)))
      onClose()
    },
  })
  const isNew = number === null
  return (
    <FormDialog onClose={onClose} title={isNew ? texts.addTitle : texts.editTitle(nameOf(number))} wide form={form}>
      {isNew && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            {...form.field('carrier')}
            label={texts.carrier}
            none="–"
            choices={ids.map((value) => ({ value, label: value }))}
          />
          <TextField {...form.field('address')} label={texts.address} hint={texts.addressHint} />
          <TextField {...form.field('keyword')} label={texts.keyword} hint={texts.keywordHint} optional />
          <AccountField {...form.field('account')} label={texts.account} />
        </div>
      )}
      {!isNew && <AccountField {...form.field('account')} label={texts.account} />}
      <TextField {...form.field('hook')} label={texts.hook} hint={texts.hookHint} optional />
      <TextArea {...form.field('reply')} label={texts.reply} hint={texts.replyHint} rows={3} optional />
      <TextField {...form.field('reply_sender')} label={texts.replySender} hint={texts.replySenderHint} optional />
      <Checkbox {...form.field('take_over')} label={texts.takeOver} hint={texts.takeOverHint} />
    </FormDialog>
  )
}

type Values = ReturnType<typeof initialOf>

function initialOf(number: InboundNumber | null, account: number | null) {
  return {
    carrier: number?.carrier ?? '',
    address: number?.address ?? '',
    keyword: number?.keyword ?? '',
    account: String(number?.account ?? account ?? ''),
    hook: number?.hook ?? '',
    reply: number?.reply ?? '',
    reply_sender: number?.reply_sender ?? '',
    take_over: false,
  }
}

const orNull = (text: string) => text.trim() || null

/** Returns what a number is found by. */
function identityOf({ carrier, address, keyword }: Values, number: InboundNumber | null) {
  if (number !== null) return { carrier, address, keyword: number.keyword, new: false }
  return { carrier, address: address.trim(), keyword: orNull(keyword), new: true }
}

/** Returns what can be changed. */
function readSettings({ account, hook, reply, reply_sender, take_over }: Values) {
  const texts = { hook: orNull(hook), reply: orNull(reply), reply_sender: orNull(reply_sender) }
  return { account: Number(account), ...texts, take_over }
}
