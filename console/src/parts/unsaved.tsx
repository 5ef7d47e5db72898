/** Asks before the user leaves a page, or one of its tabs, with changes that are not saved. */
import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './overlay/dialog.tsx'
import { usePartTexts } from './part-texts.ts'

export function Unsaved({ when }: { readonly when: boolean }) {
  const texts = usePartTexts()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title={texts.unsaved}
      action={texts.leave}
      danger
      run={async () => proceed?.()}
    >
      {texts.unsavedText}
    </ConfirmDialog>
  )
}
