/** Inbound messages, the conversation with one phone, and the numbers. A phone is never written into the address. */
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { AccountPicker, useShownAccount } from '../../features/accounts/account-picker.tsx'
import { urlNumber, urlText, useUrlState } from '../../parts/list/url-state.ts'
import { TabbedPage } from '../../parts/page/tabbed-page.tsx'
import { ConversationTab, type Shown } from './conversation.tsx'
import { InboundList } from './inbound-list.tsx'
import { Numbers } from './numbers.tsx'
import { useInboundTexts } from './texts.ts'

const STATE = { tab: urlText(), account: urlNumber() }

export function Page() {
  const texts = useInboundTexts()
  const may = useMay()
  const [{ account: chosen }, change] = useUrlState(STATE)
  const account = useShownAccount(chosen)
  const [conversation, setConversation] = useState<Shown | null>(null)
  const open = (next: Shown) => {
    setConversation(next)
    change({ tab: 'conversation' }, { push: true })
  }
  const list = () => <InboundList account={account} open={open} />
  const talk = () => <ConversationTab account={account} shown={conversation} show={setConversation} />
  return (
    <TabbedPage
      title={texts.title}
      description={texts.description}
      above={
        <AccountPicker
          account={account}
          onAccount={(value) => {
            setConversation(null)
            change({ account: value })
          }}
        />
      }
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'messages', label: texts.messages, content: list, shown: may('listInbound') },
        { value: 'conversation', label: texts.conversation, content: talk },
        { value: 'numbers', label: texts.numbers, content: () => <Numbers account={account} /> },
      ]}
    />
  )
}
