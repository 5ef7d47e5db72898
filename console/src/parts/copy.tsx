/** What can be copied: a button, a short code, a block of code, and a secret that is shown once. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Notice } from './page/states.tsx'
import { usePartTexts } from './part-texts.ts'

const SHOWN_MS = 1_500

function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void copyText(text).then(setCopied)
  }
  return { isCopied, copy }
}

/**
 * Returns whether the browser permits it. The clipboard exists only on HTTPS and localhost; elsewhere the old command
 * copies a selection.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  return isDone
}

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers: "Copy message id". */
  readonly label?: string | undefined
}

/** A small icon button. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const texts = usePartTexts()
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <IconButton
        label={isCopied ? texts.copied : (label ?? texts.copy)}
        icon={isCopied ? Check : Copy}
        onClick={copy}
        className="-my-1.5 size-7"
      />
      <span role="status" className="sr-only">
        {isCopied ? texts.copied : ''}
      </span>
    </>
  )
}

/** An id or address in fixed width with its copy button. */
export function CopyText({ text, label }: CopyButtonProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

interface CodeBlockProps {
  readonly code: string
  /** Read by screen readers: "Request as curl". */
  readonly label: string
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  const texts = usePartTexts()
  const { isCopied, copy } = useCopy(code)
  return (
    <div className="relative rounded-md border bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto p-4 pr-24">
        <pre className="font-mono text-sm">{code}</pre>
      </section>
      <Button size="small" icon={isCopied ? Check : Copy} onClick={copy} className="absolute top-2.5 right-2.5">
        {isCopied ? texts.copied : texts.copy}
      </Button>
    </div>
  )
}

interface SecretPanelProps {
  readonly label: string
  readonly secret: string
}

/** A secret that the gateway shows once. */
export function SecretPanel({ label, secret }: SecretPanelProps) {
  const texts = usePartTexts()
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="warn">{texts.shownOnce}</Notice>
      <div>
        <p className="mb-1.5 text-sm font-medium">{label}</p>
        <CodeBlock code={secret} label={label} />
      </div>
    </div>
  )
}
