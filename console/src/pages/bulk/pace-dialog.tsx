/** Changes the pace of a bulk, also while it runs. */
import { api } from '../../api/api.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { type Bulk, readAgain } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'

export function PaceDialog({ bulk, onClose }: { readonly bulk: Bulk; readonly onClose: () => void }) {
  const texts = useBulkPageTexts()
  const params = { account: bulk.account, bulk: bulk.bulk }
  const form = useForm({
    initial: { pace: String(bulk.pace) },
    send: ({ pace }, key) =>
      api.patch('/accounts/{account}/bulks/{bulk}', { params, body: { pace: Number(pace) }, key }),
    done: () => {
      readAgain()
      toast(texts.changed)
      onClose()
    },
  })
  return (
    <FormDialog form={form} onClose={onClose} title={texts.paceTitle}>
      <TextField {...form.field('pace')} label={texts.pace} inputMode="numeric" />
    </FormDialog>
  )
}
