/** The settings of a carrier: shown, and changed in a form or as JSON; only the difference is sent. */
import { Pencil, Webhook } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate } from '../../api/queries.ts'
import { mergePatch } from '../../features/carriers/merge-patch.ts'
import { asObject, type Json } from '../../features/carriers/settings-form/setting-schema.ts'
import { SettingsEditor } from '../../features/carriers/settings-form/settings-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { EditAnswers } from './edit-answers.tsx'
import { useTextsOfCarrier } from './texts.ts'
import { WebhookAddresses } from './webhook-addresses.tsx'

interface SettingsProps {
  readonly carrier: AnswerOf<'GET', '/carriers/{id}'>
}

export function Settings({ carrier: { carrier, kind, provider, settings, webhooks } }: SettingsProps) {
  const texts = useTextsOfCarrier()
  const may = useMay()
  const [edited, setEdited] = useState<'answers' | 'all' | null>(null)
  const edit = may('changeCarrierSettings') && (
    <Button icon={Pencil} onClick={() => setEdited(provider === null ? 'all' : 'answers')}>
      {texts.edit}
    </Button>
  )
  return (
    <Card
      title={texts.settings}
      actions={
        <>
          {may('registerCarrier') && hasRegister(settings) && <Register carrier={carrier} />}
          {edit}
        </>
      }
    >
      <WebhookAddresses webhooks={webhooks} />
      <CodeBlock code={JSON.stringify(settings, null, 2)} label={texts.settings} />
      {edited === 'answers' && provider !== null && (
        <EditAnswers
          carrier={carrier}
          provider={provider.name}
          settings={asObject(settings)}
          onAll={() => setEdited('all')}
          onClose={() => setEdited(null)}
        />
      )}
      {edited === 'all' && (
        <EditSettings carrier={carrier} kind={kind} before={asObject(settings)} onClose={() => setEdited(null)} />
      )}
    </Card>
  )
}

function hasRegister(settings: unknown): boolean {
  return typeof settings === 'object' && settings !== null && 'register' in settings
}

function Register({ carrier }: { readonly carrier: string }) {
  const texts = useTextsOfCarrier()
  const [isBusy, setBusy] = useState(false)
  const register = async () => {
    setBusy(true)
    try {
      const { data } = await api.post('/carriers/{id}/register', { params: { id: carrier } })
      const failed = data.find(({ done }) => !done)
      if (failed === undefined) toast(texts.registered)
      else toast(`${failed.request}: ${gatewayText(failed.detail)}`, 'bad')
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
    setBusy(false)
  }
  return (
    <Button icon={Webhook} busy={isBusy} onClick={() => void register()}>
      {texts.register}
    </Button>
  )
}

interface EditSettingsProps {
  readonly carrier: string
  readonly kind: string
  readonly before: Json
  readonly onClose: () => void
}

function EditSettings({ carrier, kind, before, onClose }: EditSettingsProps) {
  const texts = useTextsOfCarrier()
  // What was on the screen when editing began: the live view goes on being read.
  const [shown] = useState(before)
  const [isUnchanged, setUnchanged] = useState(false)
  const form = useForm({
    initial: { settings: shown },
    send: ({ settings }, key) =>
      api.patch('/carriers/{id}/settings', {
        params: { id: carrier },
        body: { settings: mergePatch(shown, settings) },
        key,
      }),
    done: () => {
      invalidate('/carriers', '/carriers/{id}')
      toast(texts.saved)
      onClose()
    },
  })
  const { settings } = form.values
  const submit = () => {
    const isSame = Object.keys(mergePatch(shown, settings)).length === 0
    setUnchanged(isSame)
    if (!isSame) form.submit()
  }
  return (
    <Dialog open onClose={onClose} title={texts.edit} description={texts.settingsHint} wide>
      <Form form={{ ...form, submit }}>
        {isUnchanged && <Notice kind="bad">{texts.nothingChanged}</Notice>}
        <SettingsEditor
          kind={kind}
          label={texts.settings}
          value={settings}
          onValue={(next) => {
            setUnchanged(false)
            form.change({ settings: next })
          }}
          errors={form.errorsIn('settings')}
        />
        <FormActions form={form} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
