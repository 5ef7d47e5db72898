/** The form of a new carrier of a provider with ready settings: its questions, then what to do at the provider. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { type AnswerValues, answersOf, QuestionFields } from '../../features/carriers/question-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { DialogActions } from '../../parts/overlay/dialog.tsx'
import { ErrorState, Loading, Notice } from '../../parts/page/states.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { NEW_ROUTE, RouteFields, type RouteValues, routeOf } from './route-fields.tsx'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

type Provider = AnswerOf<'GET', '/providers/{provider}'>
type Values = { id: string } & RouteValues & AnswerValues

interface AddByProviderProps {
  readonly provider: string
  readonly onCancel: () => void
  readonly onDone: (carrier: string) => void
}

export function AddByProvider({ provider, ...rest }: AddByProviderProps) {
  const { data, error } = useApi('/providers/{provider}', { params: { provider } })
  if (error !== null) return <ErrorState error={error} />
  return data === undefined || data.provider !== provider ? <Loading /> : <Questions provider={data} {...rest} />
}

function Questions({
  provider,
  onCancel,
  onDone,
}: Omit<AddByProviderProps, 'provider'> & { readonly provider: Provider }) {
  const texts = useTexts<typeof LIST_EN>({ en: LIST_EN, de: LIST_DE })
  const partTexts = usePartTexts()
  const [added, setAdded] = useState<AnswerOf<'PUT', '/carriers/{id}'> | null>(null)
  const form = useForm<Values, AnswerOf<'PUT', '/carriers/{id}'>>({
    initial: {
      id: provider.provider,
      ...NEW_ROUTE,
      ...Object.fromEntries(provider.questions.map((question) => [`answers.${question.name}`, question.default ?? ''])),
    },
    send: (values, key) =>
      api.put('/carriers/{id}', {
        params: { id: values.id.trim() },
        body: {
          provider: provider.provider,
          answers: answersOf(provider.questions, values),
          route: routeOf(values),
          new: true,
        },
        key,
      }),
    done: (answer) => {
      invalidate('/carriers', '/routes')
      if (answer.set_up.length === 0) onDone(answer.carrier)
      else setAdded(answer)
    },
  })
  if (added !== null) {
    return (
      <>
        <Notice kind="good">{texts.added(added.carrier)}</Notice>
        <h3 className="mt-4 font-medium">{texts.setUp(provider.title)}</h3>
        <ol className="mt-2 flex list-decimal flex-col gap-2 pl-5">
          {added.set_up.map((step) => (
            <Step key={step} step={step} />
          ))}
        </ol>
        <DialogActions>
          <Button kind="primary" onClick={() => onDone(added.carrier)}>
            {partTexts.close}
          </Button>
        </DialogActions>
      </>
    )
  }
  return (
    <Form form={form}>
      <TextField {...form.field('id')} label={texts.id} hint={texts.idHint} />
      <QuestionFields questions={provider.questions} form={form} />
      {provider.limits.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
          {provider.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      )}
      <RouteFields form={form} />
      <FormActions form={form} onCancel={onCancel} action={texts.add} />
    </Form>
  )
}

/** Addresses in it can be copied. */
function Step({ step }: { readonly step: string }) {
  return (
    <li className="[overflow-wrap:anywhere]">
      {step
        .split(/((?:https?:\/\/|PUBLIC_URL)\S+)/)
        .map((piece, at) => (at % 2 === 0 ? piece : <CopyText key={piece} text={piece} />))}
    </li>
  )
}
