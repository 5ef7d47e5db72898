/** Moves accounts to a price group from a day on, after a preview of the prices that change for each. */
import { ArrowRightLeft, X } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { channelName } from '../../parts/channel.tsx'
import { Combobox } from '../../parts/form/combobox.tsx'
import { refuseField } from '../../parts/form/decimal.ts'
import { type Choice, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences } from '../../texts/language.ts'
import { searchAccounts } from '../accounts/account-field.tsx'
import { searchGroups } from '../prices/search-groups.ts'
import { invalidateGroups } from './group.ts'
import { useGroupTexts } from './group-texts.ts'

type Answer = AnswerOf<'POST', '/price-group-moves'>
type Moved = Answer['accounts'][number]

interface MoveProps {
  /** Where the accounts move; the user chooses it if it is absent. */
  readonly group?: string | undefined
  /** The first to move. */
  readonly account?: Choice | undefined
}

export function MoveButton(props: MoveProps) {
  const texts = useGroupTexts()
  const mayMove = useMay()('moveToPriceGroup')
  const [isOpen, setOpen] = useState(false)
  if (!mayMove) return null
  return (
    <>
      <Button icon={ArrowRightLeft} onClick={() => setOpen(true)}>
        {texts.move}
      </Button>
      {isOpen && <MoveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function MoveDialog({ group, account, onClose }: MoveProps & { readonly onClose: () => void }) {
  const texts = useGroupTexts()
  const [preview, setPreview] = useState<Answer | null>(null)
  const form = useForm({
    initial: {
      accounts: account === undefined ? [] : ([account] as readonly Choice[]),
      group: group === undefined ? null : ({ value: group, label: group } as Choice | null),
      from: firstOfNextMonth(new Date()),
    },
    send: ({ accounts, group: target, from }, key) => {
      if (accounts.length === 0) return refuseField('accounts', texts.noAccounts)
      const where = { group: target?.value ?? null, from: from === '' ? null : from }
      const body = { accounts: accounts.map(({ value }) => Number(value)), ...where, dry_run: preview === null }
      return api.post('/price-group-moves', { body, key })
    },
    done: (answer) => {
      if (!answer.applied) return setPreview(answer)
      invalidateGroups()
      toast(texts.moved(answer.accounts.length))
      onClose()
    },
  })
  const { accounts, group: target } = form.values
  return (
    <Dialog open onClose={onClose} title={texts.moveTitle}>
      <Form form={form}>
        {preview === null ? (
          <>
            <Accounts
              accounts={accounts}
              error={form.field('accounts').error}
              onAccounts={(value) => form.change({ accounts: value })}
            />
            <Combobox
              label={texts.target}
              hint={texts.targetHint}
              optional
              name="groups"
              value={target}
              error={form.field('group').error}
              onValue={(choice) => form.change({ group: choice })}
              search={searchGroups}
            />
            <TextField type="date" label={texts.fromDay} hint={texts.fromHint} optional {...form.field('from')} />
          </>
        ) : (
          <Preview moved={preview.accounts} group={target?.value ?? texts.noGroup} from={form.values.from} />
        )}
        <DialogActions>
          <Button onClick={preview === null ? onClose : () => setPreview(null)}>
            {preview === null ? texts.cancel : texts.change}
          </Button>
          <SubmitButton form={form}>{preview === null ? texts.preview : texts.apply}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface AccountsProps {
  readonly accounts: readonly Choice[]
  readonly error: string | undefined
  readonly onAccounts: (accounts: readonly Choice[]) => void
}

function Accounts({ accounts, error, onAccounts }: AccountsProps) {
  const texts = useGroupTexts()
  const without = (value: string) => accounts.filter((each) => each.value !== value)
  return (
    <>
      <Combobox
        label={texts.chooseAccount}
        name="accounts"
        optional={accounts.length > 0}
        error={error}
        value={null}
        onValue={(choice) => choice !== null && onAccounts([...without(choice.value), choice])}
        search={searchAccounts}
      />
      {accounts.length > 0 && (
        <ul aria-label={texts.chosen} className="divide-y rounded-md border">
          {accounts.map(({ value, label }) => (
            <li key={value} className="flex items-center justify-between gap-3 py-1 pr-1 pl-3">
              <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
              <IconButton label={texts.leaveOut(label)} icon={X} onClick={() => onAccounts(without(value))} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface PreviewProps {
  readonly moved: readonly Moved[]
  readonly group: string
  readonly from: string
}

function Preview({ moved, group, from }: PreviewProps) {
  const texts = useGroupTexts()
  return (
    <div>
      <p>
        {texts.previewText(moved.length, group)}
        {from !== '' && ` · ${texts.from} ${from}`}
      </p>
      <ul className="mt-2 divide-y rounded-md border">
        {moved.map((each) => (
          <li key={each.account} className="px-3 py-2">
            <MovedAccount moved={each} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function MovedAccount({
  moved: { account, name, currency, before, until, changed, changes },
}: {
  readonly moved: Moved
}) {
  const texts = useGroupTexts()
  const partTexts = usePartTexts()
  const formats = useFormats()
  const { language } = usePreferences()
  const amount = (price: number | null) => (price === null ? texts.noPrice : formats.exactMoney(price, currency))
  return (
    <>
      <div className="font-medium [overflow-wrap:anywhere]">{`${name} · ${account}`}</div>
      <div className="text-sm text-muted">
        {[texts.wasIn(before ?? texts.noGroup), ...(until === null ? [] : [texts.onlyUntil(until)])].join(' · ')}
      </div>
      <div className="mt-1 text-sm">{changed === 0 ? texts.same : texts.changes(changed)}</div>
      <ul className="text-sm">
        {changes.map(({ channel, prefix, operator, old_price: old, new_price: next }) => (
          <li key={`${channel} ${prefix} ${operator}`} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {[
                channelName(channel, language),
                prefix === '' ? texts.allNumbers : prefix,
                ...(operator === null ? [] : [operator]),
              ].join(' · ')}
            </span>
            <span className="text-right tabular-nums">
              <span className="text-muted">{amount(old)} → </span>
              {amount(next)}
            </span>
          </li>
        ))}
      </ul>
      {changed > changes.length && (
        <div className="text-sm text-muted">{partTexts.andMore(changed - changes.length)}</div>
      )}
    </>
  )
}

/** As a day of UTC. */
function firstOfNextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
}
