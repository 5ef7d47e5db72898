/** Reports to hooks: failed ones, hooks of an account, stopped hooks, and hooks that clients manage. */
import { AccountPicker, useShownAccount } from '../../features/accounts/account-picker.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, urlNumber, useUrlState } from '../../parts/url-state.ts'
import { ClientHooks } from './client-hooks.tsx'
import { FailedReports } from './failed-reports.tsx'
import { HookStates } from './hook-states.tsx'
import { StoppedHooks } from './stopped-hooks.tsx'
import { useReportTexts } from './texts.ts'

const TABS = ['failed', 'hooks', 'stopped', 'managed'] as const
const STATE = { tab: urlChoice(TABS, 'failed'), account: urlNumber() }

export function Page() {
  const texts = useReportTexts()
  const [{ tab, account: chosen }, change] = useUrlState(STATE)
  const account = useShownAccount(chosen)
  const contents = {
    failed: () => <FailedReports account={account} />,
    hooks: () => <HookStates account={account} />,
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
