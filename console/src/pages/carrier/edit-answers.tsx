/** Changes a carrier of a provider by what the provider asks. All settings are one click away. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import {
  type AnswerValues,
  answersOf,
  type Question,
  QuestionFields,
} from '../../features/carriers/question-fields.tsx'
import { asObject, type Json } from '../../features/carriers/settings-form/setting-schema.ts'
import { Button } from '../../parts/button.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { ErrorState, Loading, Notice } from '../../parts/page/states.tsx'
import { useTextsOfCarrier } from './texts.ts'

interface EditAnswersProps {
  readonly carrier: string
  readonly provider: string
  /** With secrets hidden. */
  readonly settings: Json
  readonly onAll: () => void
  readonly onClose: () => void
}

export function EditAnswers(props: EditAnswersProps) {
  const texts = useTextsOfCarrier()
  const { carrier, provider, settings, onAll, onClose } = props
  const { data, error } = useApi('/providers/{provider}', { params: { provider }, query: { carrier } })
  // Those that a later version asks are not in its settings.
  const known = { ...asObject(settings['constants']), ...asObject(settings['secrets']) }
  const questions = data?.questions.filter(({ name }) => name in known)
  return (
    <Dialog open onClose={onClose} title={texts.edit} description={texts.answersHint} wide>
      <div className="mb-4 flex justify-end">
        <Button size="small" onClick={onAll}>
          {texts.allSettings}
        </Button>
      </div>
      {questions === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} />
        )
      ) : (
        <AnswersForm {...props} questions={questions} />
      )}
    </Dialog>
  )
}

function AnswersForm({
  carrier,
  settings,
  questions,
  onClose,
}: EditAnswersProps & { readonly questions: readonly Question[] }) {
  const texts = useTextsOfCarrier()
  const constants = asObject(settings['constants'])
  const [before] = useState<AnswerValues>(() =>
    Object.fromEntries(
      questions.map(({ name, secret }) => [`answers.${name}`, secret ? '' : String(constants[name] ?? '')]),
    ),
  )
  const [isUnchanged, setUnchanged] = useState(false)
  const form = useForm({
    initial: before,
    send: (values, key) =>
      api.patch('/carriers/{id}/settings', {
        params: { id: carrier },
        body: { answers: answersOf(questions, values, before) },
        key,
      }),
    done: () => {
      invalidate('/carriers', '/carriers/{id}')
      toast(texts.saved)
      onClose()
    },
  })
  const submit = () => {
    const isSame = Object.keys(answersOf(questions, form.values, before)).length === 0
    setUnchanged(isSame)
    if (!isSame) form.submit()
  }
  return (
    <Form form={{ ...form, submit }}>
      {isUnchanged && <Notice kind="bad">{texts.nothingChanged}</Notice>}
      <QuestionFields questions={questions} form={form} isStored />
      <FormActions form={form} onCancel={onClose} />
    </Form>
  )
}
