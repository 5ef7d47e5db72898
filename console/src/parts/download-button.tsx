/** A button that reads a text and saves it as a file. */
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../api/problem.ts'
import { Button } from './button.tsx'
import { downloadText } from './download.ts'
import { toast } from './overlay/toast.tsx'

interface DownloadButtonProps {
  /** The name of the file. */
  readonly file: string
  readonly read: () => Promise<string>
  readonly size?: 'normal' | 'small'
  readonly children: ReactNode
}

/** Says why the text cannot be read. */
export function DownloadButton({ file, read, size = 'normal', children }: DownloadButtonProps) {
  const [isReading, setReading] = useState(false)
  const download = async () => {
    setReading(true)
    try {
      downloadText(file, await read())
    } catch (error) {
      toast(messageOf(error), 'bad')
    } finally {
      setReading(false)
    }
  }
  return (
    <Button size={size} icon={Download} busy={isReading} onClick={() => void download()}>
      {children}
    </Button>
  )
}
