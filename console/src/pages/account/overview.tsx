/** Money, hooks and what is missing before an account can send. */
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { AccountChecklist } from '../../features/checklist/account-checklist.tsx'
import { channelName } from '../../parts/channel.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Money, Num } from '../../parts/values.tsx'
import { usePreferences } from '../../texts/language.ts'
import { useAccountPageTexts } from './account-texts.ts'
import { QueueNotice } from './queue-notice.tsx'
import type { Account } from './setting-fields.ts'
import { Traffic } from './traffic.tsx'

const EVERY_MS = 10_000

export function Overview({ account }: { readonly account: Account }) {
  const texts = useAccountPageTexts()
  const may = useMay()
  const { currency, available, held, spent, credit_limit: limit } = account
  const money = (amount: number) => <Money as="headline" {...{ amount, currency }} />
  return (
    <div className="flex flex-col gap-5">
      {account.state === 'suspended' && <QueueNotice account={account.account} />}
      <Warnings account={account} />
      {account.state !== 'closed' && <AccountChecklist account={account.account} />}
      <Stats>
        <Stat label={texts.available} value={money(available)} />
        <Stat label={texts.held} value={money(held)} />
        <Stat label={texts.spent} value={money(spent)} />
        <Stat label={texts.creditLimit} value={money(limit)} />
      </Stats>
      {may('showStatistics') && <Traffic account={account.account} />}
      <Facts account={account} />
    </div>
  )
}

function Warnings({ account }: { readonly account: Account }) {
  const texts = useAccountPageTexts()
  const { state, stopped_hooks: stopped, low_balance: low, available } = account
  if (state === 'closed') return null
  return (
    <>
      {stopped.map((address) => (
        <Notice
          key={address}
          kind="bad"
          action={
            <TextLink to="." search={{ tab: 'hooks' }}>
              {texts.tabs.hooks}
            </TextLink>
          }
        >
          {texts.stopped(address)}
        </Notice>
      ))}
      {low !== null && available < low && (
        <Notice
          kind="warn"
          action={
            <TextLink to="." search={{ tab: 'ledger' }}>
              {texts.tabs.ledger}
            </TextLink>
          }
        >
          {texts.low}
        </Notice>
      )}
    </>
  )
}

function Facts({ account }: { readonly account: Account }) {
  const texts = useAccountPageTexts()
  const { language } = usePreferences()
  const { account: number, keys, senders, default_hook: hook, default_sms_sender: sender } = account
  const { data: reports } = useApi('/failed-reports/count', { query: { account: number } }, { every: EVERY_MS })
  const approved = senders.filter(({ state }) => state === 'approved')
  const items = [
    { label: texts.keys, value: keys.length === 0 ? texts.missing : keys.join(', ') },
    {
      label: texts.senders,
      value:
        approved.length === 0
          ? texts.missing
          : approved.map(({ name, channel }) => `${name} (${channelName(channel, language)})`).join(', '),
    },
    { label: texts.defaultSender, value: sender ?? texts.missing },
    { label: texts.hook, value: hook === null ? texts.noHook : <CopyText text={hook} /> },
    { label: texts.waiting, value: <Num value={reports?.waiting} /> },
    { label: texts.failed, value: <Num value={reports?.failed} /> },
  ]
  return (
    <Card title={texts.facts}>
      <KeyValues items={items} />
    </Card>
  )
}
