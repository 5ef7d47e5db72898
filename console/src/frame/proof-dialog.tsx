/** Asks for password and code again before a change of money, secrets or roles, and lets the change go on. */
import { KeyRound } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { api } from '../api/api.ts'
import { useMe } from '../api/me.ts'
import { hasPasskeys, isDeclined, proveByPasskey } from '../api/passkeys.ts'
import { invalidate } from '../api/queries.ts'
import { proveInTab } from '../api/sso.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../parts/form/form.tsx'
import { Dialog, DialogActions } from '../parts/overlay/dialog.tsx'
import { Notice } from '../parts/page/states.tsx'
import { useFrameTexts } from './frame-texts.ts'

type Settle = (isProven: boolean) => void

/** Requests that wait for the proof; all continue with one. */
let waiting: readonly Settle[] = []
const listeners = new Set<() => void>()

/** Resolves with whether the user has proven identity; false if the dialog was closed. */
export function askForProof(): Promise<boolean> {
  return new Promise((resolve) => change([...waiting, resolve]))
}

function change(next: readonly Settle[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function settle(isProven: boolean): void {
  const settled = waiting
  change([])
  for (const each of settled) each(isProven)
}

/** Shown once by the frame. */
export function ProofDialog() {
  const texts = useFrameTexts()
  const isBySso = useMe()?.sso === true
  const isOpen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
  return (
    <Dialog
      open={isOpen}
      onClose={() => settle(false)}
      title={texts.proofTitle}
      description={isBySso ? texts.proofSsoHint : texts.proofHint}
    >
      {isBySso ? <SsoForm /> : <ProofForm />}
    </Dialog>
  )
}

function proven(): void {
  invalidate('/me')
  settle(true)
}

function SsoForm() {
  const texts = useFrameTexts()
  const form = useForm({ initial: {}, send: proveInTab, done: proven })
  return (
    <Form form={form}>
      <DialogActions>
        <Button onClick={() => settle(false)}>{texts.cancel}</Button>
        <SubmitButton form={form}>{texts.proofSso}</SubmitButton>
      </DialogActions>
    </Form>
  )
}

function ProofForm() {
  const texts = useFrameTexts()
  const me = useMe()
  const form = useForm({
    initial: { password: '', code: '' },
    send: (body) =>
      api.post('/session/proof', { body }).catch((error: unknown) => {
        // A code is valid once: the next attempt needs another.
        form.change({ code: '' })
        throw error
      }),
    done: proven,
  })
  const byPasskey = useForm({
    initial: {},
    send: () =>
      proveByPasskey().then(
        () => true,
        (error: unknown) => {
          if (isDeclined(error)) return false
          throw error
        },
      ),
    done: (isDone) => {
      if (isDone) proven()
    },
  })
  return (
    <Form form={form}>
      {byPasskey.problem !== null && <Notice kind="bad">{byPasskey.problem}</Notice>}
      <TextField label={texts.password} type="password" autoComplete="current-password" {...form.field('password')} />
      <TextField
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        {...form.field('code')}
      />
      <DialogActions>
        {hasPasskeys && (me?.passkeys ?? 0) > 0 && (
          <Button icon={KeyRound} busy={byPasskey.isSending} onClick={byPasskey.submit} className="mr-auto">
            {texts.proofPasskey}
          </Button>
        )}
        <Button onClick={() => settle(false)}>{texts.cancel}</Button>
        <SubmitButton form={form}>{texts.proofAction}</SubmitButton>
      </DialogActions>
    </Form>
  )
}
