/** Step 5: the secrets, once, and the first message as a curl command. */
import { useMe } from '../../api/me.ts'
import { AccountChecklist } from '../../features/checklist/account-checklist.tsx'
import { curlOf } from '../../features/keys/key.ts'
import { LinkButton } from '../../parts/button.tsx'
import { CodeBlock, SecretPanel } from '../../parts/copy.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { hasField } from '../../texts/channels.ts'
import { useNewTexts } from './new-texts.ts'
import type { StepProps } from './step.ts'

interface DoneStepProps extends Pick<StepProps, 'account'> {
  readonly secrets: { readonly hook?: string; readonly key?: string }
}

const EXAMPLE_PHONE = 491701234501

export function DoneStep({ account, secrets: { hook, key } }: DoneStepProps) {
  const texts = useNewTexts()
  const address = useMe()?.client_api
  if (key === undefined) {
    return (
      <div className="flex flex-col gap-4">
        <Notice kind="warn">{texts.lost}</Notice>
        <AccountChecklist account={account.account} />
        <OpenAccount account={account.account} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted">{texts.readyHint}</p>
      <SecretPanel label={texts.apiKey} secret={key} />
      {hook !== undefined && (
        <div>
          <h3 className="text-sm font-medium">{texts.hookSecret}</h3>
          <p className="mb-1.5 text-sm text-muted">{texts.hookHint}</p>
          <CodeBlock label={texts.hookSecret} code={hook} />
        </div>
      )}
      <div>
        <h3 className="text-sm font-medium">{texts.tryIt}</h3>
        <p className="mb-1.5 text-sm text-muted">{texts.tryHint}</p>
        <CodeBlock label={texts.tryIt} code={curlOf(address, key, firstMessage(account, texts.text))} />
      </div>
      <AccountChecklist account={account.account} />
      <OpenAccount account={account.account} />
    </div>
  )
}

function OpenAccount({ account }: { readonly account: number }) {
  const texts = useNewTexts()
  return (
    <div className="flex justify-end">
      <LinkButton to={`/accounts/${account}`} kind="primary">
        {texts.open}
      </LinkButton>
    </div>
  )
}

/** Returns a message by the first approved sender; without one, by SMS. */
function firstMessage({ senders }: StepProps['account'], text: string): object {
  const { channel = 'sms', name = 'YourName' } = senders.find(({ state }) => state === 'approved') ?? {}
  const kind = hasField(channel, 'type') ? { [`${channel}_type`]: 'text' } : {}
  const item = { ...kind, [`${channel}_signature`]: name, [`${channel}_message`]: text }
  return { type: channel, id: 1, phone: EXAMPLE_PHONE, ...item }
}
