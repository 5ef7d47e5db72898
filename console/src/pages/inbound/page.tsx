/** Inbound messages, the conversation with one phone, and the numbers. A phone is never written into the address. */
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { AccountPicker, useShownAccount } from '../../features/accounts/account-picker.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { urlChoice, urlNumber, useUrlState } from '../../parts/url-state.ts'
import { ConversationTab, type Shown } from './conversation.tsx'
import { InboundList } from './inbound-list.tsx'
import { Numbers } from './numbers.tsx'
import { useInboundTexts } from './texts.ts'

const TABS = ['messages', 'conversation', 'numbers'] as const
const STATE = { tab: urlChoice(['', ...TABS], ''), account: urlNumber() }

export function Page() {
  const texts = useInboundTexts()
  const may = useMay()
  const [{ tab, account: chosen }, change] = useUrlState(STATE)
  const account = useShownAccount(chosen)
  const [conversation, setConversation] = useState<Shown | null>(null)
  const tabs = TABS.filter((each) => each !== 'messages' || may('listInbound'))
  const shown = tabs.find((each) => each === tab) ?? tabs[0] ?? 'numbers'
  const open = (next: Shown) => {
    setConversation(next)
    change({ tab: 'conversation' }, { push: true })
  }
  const contents = {
    messages: () => <InboundList account={account} open={open} />,
    conversation: () => <ConversationTab account={account} shown={conversation} show={setConversation} />,
    numbers: () => <Numbers account={account} />,
  }
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <AccountPicker
        account={account}
        onAccount={(value) => {
          setConversation(null)
          change({ account: value })
        }}
      />
      <Tabs
        label={texts.tabs}
        value={shown}
        onValue={(value) => change({ tab: value })}
        tabs={tabs.map((value) => ({ value, label: texts[value], content: contents[value] }))}
      />
    </>
  )
}
