/** A key that the gateway shows once, with a request to try it. */
import { useMe } from '../../api/me.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock, SecretPanel } from '../../parts/copy.tsx'
import { DialogActions } from '../../parts/overlay/dialog.tsx'
import { Time } from '../../parts/values.tsx'
import { curlOf, type IssuedKey } from './key.ts'
import { useKeyTexts } from './key-texts.ts'

interface IssuedKeyPanelProps {
  readonly issued: IssuedKey & { readonly old_expires_at?: string }
  readonly onDone: () => void
}

export function IssuedKeyPanel({ issued, onDone }: IssuedKeyPanelProps) {
  const texts = useKeyTexts()
  const api = useMe()?.client_api
  return (
    <div className="flex flex-col gap-4">
      <SecretPanel label={texts.secret} secret={issued.key} />
      {issued.old_expires_at !== undefined && (
        <p>
          {texts.oldUntil} <Time at={issued.old_expires_at} />
        </p>
      )}
      <div>
        <h3 className="text-sm font-medium">{texts.tryIt}</h3>
        <p className="mb-1.5 text-sm text-muted">{texts.tryHint}</p>
        <CodeBlock label={texts.tryIt} code={curlOf(api, issued.key, { type: 'balance' })} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onDone}>
          {texts.done}
        </Button>
      </DialogActions>
    </div>
  )
}
