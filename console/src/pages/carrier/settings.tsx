/** The settings of a carrier: shown, and changed as JSON, of which only the difference is sent. */
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { mergePatch } from '../../features/carriers/merge-patch.ts'
import { faultInObject, readJsonObject } from '../../features/carriers/read-json.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { TextArea } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useTextsOfCarrier } from './texts.ts'

interface SettingsProps {
  readonly carrier: AnswerOf<'GET', '/carriers/{id}'>
}

export function Settings({ carrier: { carrier, settings } }: SettingsProps) {
  const texts = useTextsOfCarrier()
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  const text = JSON.stringify(settings, null, 2)
  const edit = may('changeCarrierSettings') && (
    <Button icon={Pencil} onClick={() => setEditing(true)}>
      {texts.edit}
    </Button>
  )
  return (
    <Card title={texts.settings} actions={edit}>
      <CodeBlock code={text} label={texts.settings} />
      {isEditing && <EditSettings carrier={carrier} before={text} onClose={() => setEditing(false)} />}
    </Card>
  )
}

interface EditSettingsProps {
  readonly carrier: string
  readonly before: string
  readonly onClose: () => void
}

function EditSettings({ carrier, before, onClose }: EditSettingsProps) {
  const texts = useTextsOfCarrier()
  const partTexts = usePartTexts()
  // What was on the screen when editing began: the live view goes on being read.
  const [shown] = useState(before)
  const [wrong, setWrong] = useState<string | undefined>()
  const form = useForm({
    initial: { settings: shown },
    send: ({ settings }, key) =>
      api.patch('/carriers/{id}/settings', {
        params: { id: carrier },
        body: { settings: patchOf(shown, settings) ?? {} },
        key,
      }),
    done: () => {
      invalidate('/carriers', '/carriers/{id}')
      toast(texts.saved)
      onClose()
    },
  })
  const submit = () => {
    const line = faultInObject(form.values.settings)
    const isEmpty = Object.keys(patchOf(shown, form.values.settings) ?? {}).length === 0
    const problem = line !== null ? texts.notJson(line) : isEmpty ? texts.nothingChanged : undefined
    setWrong(problem)
    if (problem === undefined) form.submit()
  }
  return (
    <Dialog open onClose={onClose} title={texts.edit} description={texts.settingsHint} wide>
      <Form form={{ ...form, submit }}>
        <TextArea
          {...form.field('settings')}
          label={texts.settings}
          onValue={(settings) => {
            setWrong(undefined)
            form.change({ settings })
          }}
          error={wrong ?? form.field('settings').error}
          rows={16}
          spellCheck={false}
          style={{ fontFamily: 'var(--font-mono)' }}
        />
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{texts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Null if the text is no JSON object. */
function patchOf(before: string, after: string) {
  const [old, changed] = [readJsonObject(before), readJsonObject(after)]
  return changed === null ? null : mergePatch(old ?? {}, changed)
}
