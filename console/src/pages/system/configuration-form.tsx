/** A configuration to be applied: pasted or from a file. Sends a dry run; its errors name the line of the text. */
import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { classes } from '../../parts/classes.ts'
import { refuseField } from '../../parts/form/decimal.ts'
import { Checkbox, TextArea } from '../../parts/form/field.tsx'
import { FileButton } from '../../parts/form/file-button.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { lineOfFault } from '../../parts/json-fault.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { type Reviewed, readConfiguration, reviewConfiguration, type Wanted } from './configuration-api.ts'
import { lineOfError } from './json-place.ts'
import { useSystemTexts } from './texts.ts'

interface ConfigurationFormProps {
  readonly onChange: () => void
  readonly onReview: (wanted: Wanted, found: Reviewed) => void
}

const MAX_CHARACTERS = 32 * 1024 * 1024
/** A text box with more would be slow. */
const MAX_SHOWN = 500_000
const LINES_AROUND = 1

export function ConfigurationForm({ onChange, onReview }: ConfigurationFormProps) {
  const texts = useSystemTexts()
  const formats = useFormats()
  const [wrongLine, setWrongLine] = useState<number | null>(null)
  const form = useForm({
    initial: { configuration: '', lose_receipts: false },
    send: async ({ configuration: text, lose_receipts }, key) => {
      setWrongLine(null)
      if (text.trim() === '') return refuseField('configuration', texts.noText)
      const wanted = { configuration: parse(text), lose_receipts }
      try {
        return { wanted, found: await reviewConfiguration(wanted, key) }
      } catch (error) {
        setWrongLine(lineOfError(text, messageOf(error)))
        throw error
      }
    },
    done: ({ wanted, found }) => onReview(wanted, found),
  })
  const parse = (text: string) => {
    try {
      return JSON.parse(text)
    } catch (error) {
      setWrongLine(lineOfFault(text))
      return refuseField('configuration', texts.badJson(messageOf(error)))
    }
  }
  const { configuration: text } = form.values
  const take = (configuration: string) => {
    if (configuration.length > MAX_CHARACTERS) return toast(texts.tooLarge, 'bad')
    setWrongLine(null)
    form.change({ configuration })
    onChange()
  }
  const edit = () => void readConfiguration().then(take, (error) => toast(messageOf(error), 'bad'))
  return (
    <Card
      title={texts.applyTitle}
      description={texts.applyHint}
      actions={
        <>
          <Button icon={Pencil} onClick={edit}>
            {texts.edit}
          </Button>
          <FileButton accept=".json,application/json" onText={take}>
            {texts.file}
          </FileButton>
        </>
      }
    >
      <Form form={form}>
        {wrongLine !== null && <Excerpt text={text} line={wrongLine} />}
        {text.length > MAX_SHOWN ? (
          <p className="flex flex-wrap items-center gap-3">
            {texts.large(formats.number(text.length))}
            <Button size="small" icon={X} onClick={() => take('')}>
              {texts.clear}
            </Button>
          </p>
        ) : (
          <TextArea
            {...form.field('configuration')}
            label={texts.text}
            rows={text === '' ? 6 : 16}
            spellCheck={false}
            onValue={take}
            code
          />
        )}
        <Checkbox
          {...form.field('lose_receipts')}
          label={texts.loseReceipts}
          hint={texts.loseReceiptsHint}
          onValue={(value) => {
            form.change({ lose_receipts: value })
            onChange()
          }}
        />
        <div>
          <SubmitButton form={form}>{texts.showDifferences}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}

/** The line that is wrong, between its neighbours. */
function Excerpt({ text, line }: { readonly text: string; readonly line: number }) {
  const texts = useSystemTexts()
  const first = Math.max(1, line - LINES_AROUND)
  const lines = text.split('\n').slice(first - 1, line + LINES_AROUND)
  const numbered = lines.map((content, index) => ({ number: first + index, content: content.slice(0, 300) }))
  return (
    <figure className="overflow-hidden rounded-md border">
      <figcaption className="border-b bg-sunken px-3 py-1.5 text-sm font-medium">{texts.line(line)}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={texts.place} tabIndex={0} className="overflow-x-auto py-1.5 font-mono text-sm">
        {numbered.map(({ number, content }) => (
          <div key={number} className={classes('flex w-max min-w-full gap-3 px-3', number === line && 'bg-bad-soft')}>
            <span className="w-10 shrink-0 text-right text-muted select-none">{number}</span>
            <span className="whitespace-pre">{content}</span>
          </div>
        ))}
      </section>
    </figure>
  )
}
