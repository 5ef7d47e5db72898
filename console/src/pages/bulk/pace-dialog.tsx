/** Changes the pace of a bulk, also while it runs. */
import { api } from '../../api/api.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
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
    <Dialog open onClose={onClose} title={texts.paceTitle}>
      <Form form={form}>
        <TextField {...form.field('pace')} label={texts.pace} inputMode="numeric" />
        <DialogActions>
          <SubmitButton form={form}>{texts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
