/** Reports to hooks: failed ones, failing hooks, hooks of an account, stopped hooks, and hooks that clients manage. */
import { Webhook } from 'lucide-react'
import { AccountPicker, useShownAccount } from '../../features/accounts/account-picker.tsx'
import { FailingHooks } from '../../features/hooks/failing-hooks.tsx'
import { HooksCard } from '../../features/hooks/hooks-card.tsx'
import { Card, PageHeader } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, urlNumber, useUrlState } from '../../parts/url-state.ts'
import { ClientHooks } from './client-hooks.tsx'
import { FailedReports } from './failed-reports.tsx'
import { StoppedHooks } from './stopped-hooks.tsx'
import { useReportTexts } from './texts.ts'

const TABS = ['failed', 'failing', 'hooks', 'stopped', 'managed'] as const
const STATE = { tab: urlChoice(TABS, 'failed'), account: urlNumber() }

export function Page() {
  const texts = useReportTexts()
  const [{ tab, account: chosen }, change] = useUrlState(STATE)
  const account = useShownAccount(chosen)
  const contents = {
    failed: () => <FailedReports account={account} />,
    failing: () => <FailingHooks account={account} />,
    hooks: () => (account === null ? <ChooseAccount /> : <HooksCard account={account} />),
    stopped: () => <StoppedHooks account={account} />,
    managed: () => <ClientHooks account={account} />,
  }
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <AccountPicker account={account} onAccount={(value) => change({ account: value })} />
      <Tabs
        label={texts.tabs}
        value={tab}
        onValue={(value) => change({ tab: value })}
        tabs={TABS.map((value) => ({ value, label: texts[value], content: contents[value] }))}
      />
    </>
  )
}

function ChooseAccount() {
  const texts = useReportTexts()
  return (
    <Card>
      <EmptyState icon={Webhook} title={texts.chooseAccount}>
        {texts.chooseAccountHint}
      </EmptyState>
    </Card>
  )
}
