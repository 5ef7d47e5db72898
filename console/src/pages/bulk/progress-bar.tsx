/** How much of something is done. */

interface ProgressBarProps {
  /** From 0 to 1. */
  readonly share: number
  /** Read by screen readers. */
  readonly label: string
}

export function ProgressBar({ share, label }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 w-full overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  )
}
