/** Forms in dialogs: their fields, then a button that cancels and one that sends. */
import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../button.tsx'
import { Dialog, DialogActions, type DialogProps } from '../overlay/dialog.tsx'
import { usePartTexts } from '../part-texts.ts'
import { Form, type FormState, SubmitButton } from './form.tsx'

interface FormActionsProps {
  readonly form: { readonly isSending: boolean }
  readonly onCancel: () => void
  /** On the button that sends: "Save" unless set. */
  readonly action?: string | undefined
  readonly kind?: ButtonKind | undefined
  readonly disabled?: boolean | undefined
  /** Further buttons, before the two. */
  readonly children?: ReactNode
}

/** The row of buttons at the end of a form in a dialog. */
export function FormActions({ form, onCancel, action, kind, disabled, children }: FormActionsProps) {
  const texts = usePartTexts()
  return (
    <DialogActions>
      {children}
      <Button onClick={onCancel}>{texts.cancel}</Button>
      <SubmitButton form={form} kind={kind} disabled={disabled}>
        {action ?? texts.save}
      </SubmitButton>
    </DialogActions>
  )
}

interface FormDialogProps<V extends object>
  extends Pick<FormActionsProps, 'action' | 'kind' | 'disabled'>,
    Omit<DialogProps, 'open'> {
  readonly form: FormState<V>
  /** Further buttons. */
  readonly buttons?: ReactNode
}

/** An open dialog that is one form. */
export function FormDialog<V extends object>({
  form,
  action,
  kind,
  disabled,
  buttons,
  children,
  ...dialog
}: FormDialogProps<V>) {
  return (
    <Dialog open {...dialog}>
      <Form form={form}>
        {children}
        <FormActions form={form} onCancel={dialog.onClose} action={action} kind={kind} disabled={disabled}>
          {buttons}
        </FormActions>
      </Form>
    </Dialog>
  )
}
