/** Creates a link that logs a user in once. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useTeamTexts } from './texts.ts'

export function SignInLink({ user, onClose }: { readonly user: string; readonly onClose: () => void }) {
  const texts = useTeamTexts()
  const partTexts = usePartTexts()
  const [link, setLink] = useState<string | null>(null)
  const form = useForm({
    initial: {},
    send: (_, key) => api.post('/users/{user}/sign-in-links', { params: { user }, key }),
    done: ({ path }) => setLink(new URL(path, window.location.origin).href),
  })
  return (
    <Dialog open onClose={onClose} title={texts.linkTitle(user)} description={texts.linkText}>
      {link === null ? (
        <Form form={form}>
          <FormActions form={form} onCancel={onClose} action={texts.link} />
        </Form>
      ) : (
        <>
          <SecretPanel label={texts.linkTitle(user)} secret={link} />
          <DialogActions>
            <Button onClick={onClose}>{partTexts.close}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
