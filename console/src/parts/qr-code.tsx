/** A QR code drawn as SVG: dark on white in both themes, because not all cameras read the inverse. */
import { encode } from 'uqr'

interface QrCodeProps {
  readonly text: string
  /** Read by screen readers. */
  readonly label: string
}

export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md border bg-white"
    >
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
