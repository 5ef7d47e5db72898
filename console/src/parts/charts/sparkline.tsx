/** A tiny line without axes, drawn as SVG beside a number that says the same. */
interface SparklineProps {
  readonly values: readonly number[]
  readonly className?: string | undefined
}

const WIDTH = 120
const HEIGHT = 32

export function Sparkline({ values, className = 'h-8 w-full' }: SparklineProps) {
  const max = Math.max(...values, 0)
  const step = WIDTH / Math.max(values.length - 1, 1)
  const points = values.map((value, index) => {
    const y = max === 0 ? HEIGHT - 1 : HEIGHT - 1 - (value / max) * (HEIGHT - 3)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={className}>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--color-series-1)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
