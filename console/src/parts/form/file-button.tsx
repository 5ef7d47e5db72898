/** A button that lets the user choose a text file, and passes on its contents. */
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../button.tsx'

interface FileButtonProps {
  readonly children: string
  /** As in HTML: `.csv,text/csv`. */
  readonly accept: string
  readonly disabled?: boolean | undefined
  readonly onText: (text: string, name: string) => void
}

export function FileButton({ children, accept, disabled = false, onText }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={Upload} disabled={disabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={children}
        onChange={({ target }) => {
          const file = target.files?.[0]
          // The same file may be chosen again after it was edited.
          target.value = ''
          if (file !== undefined) void file.text().then((text) => onText(text, file.name))
        }}
      />
    </>
  )
}
