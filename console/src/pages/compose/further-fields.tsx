/** When the message is sent, how long its first channel waits, and where its reports go. */
import { useState } from 'react'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import { type Draft, sendTimeOf } from '../../features/compose/draft.ts'
import type { SendChoices } from '../../features/compose/problems.ts'
import { TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { useFormats } from '../../texts/formats.ts'

interface FurtherFieldsProps {
  readonly form: FormState<Draft>
  /** Undefined until they are read. */
  readonly choices: SendChoices | undefined
}

export function FurtherFields({ form, choices }: FurtherFieldsProps) {
  const texts = useComposeTexts()
  const formats = useFormats()
  const { channels } = form.values
  const at = sendTimeOf(form.values)
  const [isOpen, setOpen] = useState(false)
  const hasProblem = (['sendAt', 'lifetime', 'hook'] as const).some((name) => form.field(name).error !== undefined)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <details open={isOpen || hasProblem} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-sm text-muted hover:text-ink">{texts.more}</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('sendAt')}
          label={texts.sendAt}
          hint={at === null ? texts.sendAtHint(zone) : texts.sendAtUtc(zone, formats.utc(at))}
          type="datetime-local"
          optional
        />
        {channels.length > 1 && (
          <TextField
            {...form.field('lifetime')}
            label={texts.lifetime}
            hint={lifetimeHint(channels[0], choices, texts, formats)}
            inputMode="numeric"
            maxLength={9}
            optional
          />
        )}
        <TextField {...form.field('hook')} label={texts.hook} hint={texts.hookHint} optional />
      </div>
    </details>
  )
}

function lifetimeHint(
  first: string | undefined,
  choices: SendChoices | undefined,
  texts: ReturnType<typeof useComposeTexts>,
  formats: ReturnType<typeof useFormats>,
): string | undefined {
  const usual = choices?.lifetimes.find(({ channel }) => channel === first)?.chain_seconds
  if (choices === undefined || usual === undefined) return undefined
  const { lifetime_min_seconds: min, lifetime_max_seconds: max } = choices
  return texts.lifetimeHint(formats.number(min), formats.number(max), formats.duration(usual))
}
