/** Buttons that let the user choose a file. */
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../button.tsx'

interface ChooseFileProps {
  readonly children: string
  /** As in HTML: `.csv,text/csv`. */
  readonly accept: string
  readonly disabled?: boolean | undefined
}

/** Passes on the contents of a text file. */
export function FileButton({
  onText,
  ...rest
}: ChooseFileProps & { readonly onText: (text: string, name: string) => void }) {
  return <AnyFileButton {...rest} onFile={(file) => void file.text().then((text) => onText(text, file.name))} />
}

interface AnyFileButtonProps extends ChooseFileProps {
  readonly onFile: (file: File) => void
}

export function AnyFileButton({ children, accept, disabled = false, onFile }: AnyFileButtonProps) {
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
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}
