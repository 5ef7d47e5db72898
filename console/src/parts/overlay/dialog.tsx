/** Dialogs: a modal one, and one that confirms an action. Focus returns to where it was. */
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { makeRequestKey } from '../../api/api.ts'
import { messageOf } from '../../api/problem.ts'
import { Button, IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { TextField } from '../form/field.tsx'
import { Notice } from '../page/states.tsx'
import { usePartTexts } from '../part-texts.ts'

const FIELDS = 'input:not([disabled]), select:not([disabled]), textarea:not([disabled])'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** One sentence below the title. */
  readonly description?: string | undefined
  readonly wide?: boolean | undefined
  /** Closes by its buttons only, such as while it shows a secret: neither by Escape nor by a click beside it. */
  readonly keepOpen?: boolean | undefined
  readonly children: ReactNode
}

export function Dialog({ open, onClose, title, description, wide = false, keepOpen = false, children }: DialogProps) {
  const keep = (event: Event) => keepOpen && event.preventDefault()
  const texts = usePartTexts()
  const content = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        {/* Not Radix.Overlay: it locks scrolling by a style element, which the content security policy forbids. */}
        <div aria-hidden className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          ref={content}
          onOpenAutoFocus={(event) => {
            // Otherwise the button that closes it, which comes first.
            const field = content.current?.querySelector<HTMLElement>(FIELDS)
            if (field === null || field === undefined) return
            event.preventDefault()
            field.focus()
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onCloseAutoFocus={(event) => {
            // The action of the dialog has opened a page, whose heading has the focus now.
            if (document.activeElement !== document.body) event.preventDefault()
          }}
          onEscapeKeyDown={keep}
          onInteractOutside={keep}
          className={classes(
            'float-box fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col',
            wide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start gap-4 border-b px-5 pt-4 pb-3">
            <div className="min-w-0 grow">
              <Radix.Title className="text-lg font-semibold [overflow-wrap:anywhere]">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label={texts.close} icon={X} className="-mr-2" />
            </Radix.Close>
          </div>
          <div className="overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>
}

interface ConfirmDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** What happens, and what cannot be undone. */
  readonly children: ReactNode
  /** The verb on the button: "Delete key". */
  readonly action: string
  /** On the button that changes nothing, where "Cancel" could be taken for the action. */
  readonly keep?: string | undefined
  /** For dangerous actions: what the user must type. */
  readonly typed?: string | undefined
  readonly danger?: boolean | undefined
  /** Does it; a rejection is shown in the dialog. `key` is the idempotency key. */
  readonly run: (key: string) => Promise<unknown>
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <Confirmation {...props} />
    </Dialog>
  )
}

function Confirmation({
  onClose,
  children,
  action,
  keep,
  typed,
  danger = typed !== undefined,
  run,
}: ConfirmDialogProps) {
  const texts = usePartTexts()
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(makeRequestKey)
  const isReady = typed === undefined || text.trim() === typed
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await run(key)
      onClose()
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (isReady) void confirm()
      }}
    >
      {error !== null && <Notice kind="bad">{messageOf(error)}</Notice>}
      <div>{children}</div>
      {typed !== undefined && (
        <TextField label={texts.typeName(typed)} name="confirmation" value={text} onValue={setText} />
      )}
      <DialogActions>
        <Button onClick={onClose}>{keep ?? texts.cancel}</Button>
        <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy} disabled={!isReady}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
