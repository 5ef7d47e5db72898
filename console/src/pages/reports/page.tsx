/** Reports to hooks: failed ones, failing hooks, hooks of an account, stopped hooks, and hooks that clients manage. */
import { Webhook } from 'lucide-react'
import { useContext } from 'react'
import { AccountPicker, useShownAccount } from '../../features/accounts/account-picker.tsx'
import { FailingHooks } from '../../features/hooks/failing-hooks.tsx'
import { HookStatisticsCard } from '../../features/hooks/hook-statistics-card.tsx'
import { HooksCard } from '../../features/hooks/hooks-card.tsx'
import { urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { IsClient } from '../../texts/texts.ts'
import { ClientHooks } from './client-hooks.tsx'
import { FailedReports } from './failed-reports.tsx'
import { StoppedHooks } from './stopped-hooks.tsx'
import { useReportTexts } from './texts.ts'

const STATE = { account: urlNumber() }

export function Page() {
  const texts = useReportTexts()
  const [{ account: chosen }, change] = useUrlState(STATE)
  const account = useShownAccount(chosen)
  const isClient = useContext(IsClient)
  const ofAccount = () => (account === null ? <ChooseAccount /> : <HooksOf account={account} />)
  return (
    <TabbedPage
      title={isClient ? texts.titleOfClients : texts.title}
      description={texts.description}
      above={<AccountPicker account={account} onAccount={(value) => change({ account: value })} />}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'failed', label: texts.failed, content: () => <FailedReports account={account} /> },
        { value: 'failing', label: texts.failing, content: () => <FailingHooks account={account} /> },
        { value: 'hooks', label: texts.hooks, content: ofAccount },
        { value: 'stopped', label: texts.stopped, content: () => <StoppedHooks account={account} /> },
        { value: 'managed', label: texts.managed, content: () => <ClientHooks account={account} /> },
      ]}
    />
  )
}

function HooksOf({ account }: { readonly account: number }) {
  return (
    <div className="flex flex-col gap-5">
      <HooksCard account={account} />
      <HookStatisticsCard account={account} />
    </div>
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
