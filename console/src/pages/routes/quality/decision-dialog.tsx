/** An operator demotes a carrier for some hours, keeps it, or lets gateways decide again. */
import { api } from '../../../api/api.ts'
import { invalidate } from '../../../api/queries.ts'
import { readWhole } from '../../../parts/form/decimal.ts'
import { TextField } from '../../../parts/form/field.tsx'
import { useForm } from '../../../parts/form/form.tsx'
import { FormDialog } from '../../../parts/form/form-dialog.tsx'
import { toast } from '../../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../../parts/part-texts.ts'
import { useDestination } from './destination.ts'
import { useQualityTexts } from './quality-texts.ts'

export interface Decision {
  readonly action: 'demote' | 'keep' | 'release'
  readonly carrier: string
  readonly country: string
  readonly operator: string | null
}

const FIRST_HOURS = '24'

export function DecisionDialog({ decision, onClose }: { readonly decision: Decision; readonly onClose: () => void }) {
  const texts = useQualityTexts()
  const partTexts = usePartTexts()
  const destination = useDestination()
  const { action, carrier, ...place } = decision
  const form = useForm({
    initial: { hours: FIRST_HOURS, reason: '' },
    send: ({ hours, reason }, key) => {
      if (action === 'release') return api.post('/quality/release', { body: { carrier, ...place }, key })
      const term = { hours: readWhole('hours', hours, partTexts.wholeNumber), reason: reason.trim() }
      const input = { body: { carrier, ...place, ...term }, key }
      return action === 'demote' ? api.post('/quality/demote', input) : api.post('/quality/keep', input)
    },
    done: () => {
      invalidate('/quality', '/quality/demotions')
      toast(texts.decided)
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts[`${action}Title`](carrier)} form={form}>
      <p>{texts[`${action}Text`](destination(place))}</p>
      {action !== 'release' && (
        <>
          <TextField
            {...form.field('hours')}
            label={texts.hours}
            hint={texts.hoursHint}
            inputMode="numeric"
            maxLength={4}
          />
          <TextField {...form.field('reason')} label={texts.reason} maxLength={200} optional />
        </>
      )}
    </FormDialog>
  )
}
