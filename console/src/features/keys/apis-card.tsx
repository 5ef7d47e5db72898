/** The APIs for clients that are on: the address of each, and a command to try it. */
import { useMe } from '../../api/me.ts'
import { CodeBlock, CopyText } from '../../parts/copy.tsx'
import { Card } from '../../parts/page/page.tsx'
import { addressOf, commandOf } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

export function ApisCard() {
  const texts = useKeyTexts()
  const me = useMe()
  const apis = me?.client_apis ?? []
  if (apis.length === 0) return null
  const reached = { address: me?.client_api, smppPort: me?.smpp_port ?? null }
  return (
    <Card title={texts.apis} description={texts.apisHint}>
      <div className="flex flex-col gap-4">
        {apis.map((api) => (
          <div key={api} className="flex flex-col gap-1.5">
            <h3 className="text-sm font-medium">{texts.apiNames[api]}</h3>
            <CopyText text={addressOf(api, reached)} />
            <CodeBlock label={texts.apiNames[api]} code={commandOf(api, reached)} />
          </div>
        ))}
      </div>
    </Card>
  )
}
