/** One account, in tabs. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ActionName, useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { AccountBadge } from '../../features/accounts/state-badge.tsx'
import { HookSecretCard } from '../../features/hooks/hook-secret.tsx'
import { HookStatisticsCard } from '../../features/hooks/hook-statistics-card.tsx'
import { HooksCard } from '../../features/hooks/hooks-card.tsx'
import { ApisCard } from '../../features/keys/apis-card.tsx'
import { KeysCard } from '../../features/keys/keys-card.tsx'
import { Ledger } from '../../features/ledger/ledger.tsx'
import { BindsCard } from '../../features/logins/binds-card.tsx'
import { LoginsCard } from '../../features/logins/logins-card.tsx'
import { OptOutsCard } from '../../features/opt-outs/opt-outs-card.tsx'
import { AccountGroup } from '../../features/price-groups/account-group.tsx'
import { PricesCard } from '../../features/prices/prices-card.tsx'
import { SendersCard } from '../../features/senders/senders-card.tsx'
import { TemplatesCard } from '../../features/templates/templates-card.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { PageHeader } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { AccountActions } from './account-actions.tsx'
import { useAccountPageTexts } from './account-texts.ts'
import { Overview } from './overview.tsx'
import { type Account, SETTINGS_GROUPS } from './setting-fields.ts'
import { Settings } from './settings-form.tsx'

type TabName = keyof ReturnType<typeof useAccountPageTexts>['tabs']

interface AccountTab {
  readonly name: TabName
  /** What the role must be allowed to call. */
  readonly needs: ActionName
  readonly content: (account: Account, isClient: boolean) => ReactNode
  /** Users of the account do not see it. */
  readonly ofOperators?: boolean
}

const TABS: readonly AccountTab[] = [
  { name: 'overview', needs: 'showAccount', content: (account) => <Overview account={account} /> },
  {
    name: 'settings',
    needs: 'showAccount',
    ofOperators: true,
    content: ({ account }) => <Settings key="settings" account={account} groups={SETTINGS_GROUPS} />,
  },
  {
    name: 'keys',
    needs: 'listKeys',
    content: ({ account }) => (
      <div className="flex flex-col gap-5">
        <KeysCard account={account} />
        <LoginsCard account={account} />
        <BindsCard account={account} />
        <ApisCard />
      </div>
    ),
  },
  { name: 'senders', needs: 'listSenders', content: ({ account }) => <SendersCard account={account} /> },
  {
    name: 'hooks',
    needs: 'listHookStates',
    content: ({ account, hook_secrets: secrets }, isClient) => (
      <div className="flex flex-col gap-5">
        <HooksCard account={account} />
        {!isClient && <Settings key="reports" account={account} groups={['reports']} />}
        <HookStatisticsCard account={account} />
        <HookSecretCard account={account} secrets={secrets} />
      </div>
    ),
  },
  {
    name: 'templates',
    needs: 'listChatTemplates',
    content: ({ account }) => <TemplatesCard account={account} />,
  },
  { name: 'opt-outs', needs: 'listOptOuts', content: ({ account }) => <OptOutsCard account={account} /> },
  {
    name: 'prices',
    needs: 'listAccountPrices',
    content: ({ account, currency, name, state }, isClient) => (
      <div className="flex flex-col gap-5">
        {!isClient && state !== 'closed' && <AccountGroup account={account} name={name} />}
        <PricesCard account={account} currency={currency} />
      </div>
    ),
  },
  {
    name: 'ledger',
    needs: 'listPostings',
    content: ({ account, currency }) => <Ledger account={account} currency={currency} />,
  },
  {
    name: 'guards',
    needs: 'showAccount',
    ofOperators: true,
    content: ({ account }) => <Settings key="guards" account={account} groups={['guards']} />,
  },
]

export function Page() {
  const texts = useAccountPageTexts()
  const account = Number(useParams({ strict: false })['account' as never])
  const may = useMay()
  const query = useApi('/accounts/{account}', { params: { account } })
  const { data } = query
  const back = useHasPage()('/accounts') ? { to: '/accounts', label: texts.back } : undefined
  const isClient = useMe()?.account != null
  if (data === undefined || data.account !== account) {
    return (
      <>
        <PageHeader title={texts.number(account)} back={back} />
        {query.error === null ? <Loading /> : <ErrorState error={query.error} retry={() => void query.refetch()} />}
      </>
    )
  }
  return (
    <TabbedPage
      title={data.name}
      description={texts.number(account)}
      back={back}
      badge={<AccountBadge state={data.state} />}
      actions={<AccountActions account={data} />}
      tabsLabel={texts.tabsLabel}
      tabs={TABS.map(({ name, needs, content, ofOperators }) => {
        const shown = may(needs) && !(isClient && ofOperators)
        return { value: name, label: texts.tabs[name], content: () => content(data, isClient), shown }
      })}
    />
  )
}
