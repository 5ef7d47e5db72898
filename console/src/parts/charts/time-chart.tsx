/** Lines over time. The same values are in a table for screen readers and for those who want exact numbers. */
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences, useZone } from '../../texts/language.ts'
import type { Formats } from '../../texts/make-formats.ts'
import { usePartTexts } from '../part-texts.ts'

export interface Series {
  readonly label: string
  /** One value per time; null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** What is in no other line: grey. */
  readonly isRest?: boolean | undefined
}

interface TimeChartProps {
  /** Read by screen readers: "Messages per hour". */
  readonly label: string
  /** Milliseconds, ascending. */
  readonly times: readonly number[]
  /** Eight at most, and the rest. */
  readonly series: readonly Series[]
  readonly format?: ((value: number) => string) | undefined
  /** Of the axis, whose values are exact; `format` if absent. */
  readonly formatAxis?: ((value: number) => string) | undefined
  readonly height?: number | undefined
  /** The times are days: no clock beside them. */
  readonly daily?: boolean | undefined
  /** Of counts: the axis has no fractions. */
  readonly whole?: boolean | undefined
  /** Fills the area below the lines. */
  readonly filled?: boolean | undefined
  /** Shows no table; for small charts beside a number. */
  readonly bare?: boolean | undefined
}

/** Returns the colour of a line by its place. */
function colourAt(index: number, { isRest = false }: Series): string {
  return isRest ? 'var(--color-faint)' : `var(--color-series-${index + 1})`
}

const SECONDS = 1_000
const DAY_SECONDS = 86_400
const DAY_STEPS = [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY_SECONDS)
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

export function TimeChart(props: TimeChartProps) {
  const { label, series, bare = false } = props
  return (
    <figure className="min-w-0">
      <Legend series={series} />
      <Plot {...props} />
      <figcaption className="sr-only">{label}</figcaption>
      {!bare && <ValueTable {...props} />}
    </figure>
  )
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {series.map((each, index) => (
        <li key={each.label} className="flex items-center gap-1.5">
          <span aria-hidden className="h-0.5 w-3.5 rounded" style={{ background: colourAt(index, each) }} />
          {each.label}
        </li>
      ))}
    </ul>
  )
}

function Plot(props: TimeChartProps) {
  const { label, times, series, format, formatAxis, height = 220, filled = false, whole = false, daily = false } = props
  const box = useRef<HTMLDivElement>(null)
  const formats = useFormats()
  const { theme } = usePreferences()
  const zone = useZone()
  const systemTheme = useSystemTheme()
  const write = format ?? formats.compact
  const words = { formats, writeTime: daily ? formats.day : formats.time }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours that the chart reads
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const ink = { axis: colourOf(element, 'var(--color-faint)'), grid: colourOf(element, 'var(--color-line)') }
    const span = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / SECONDS
    const chart = new uPlot(
      {
        width: Math.max(element.clientWidth, 120),
        height,
        tzDate: (at) => uPlot.tzDate(new Date(at * SECONDS), zone),
        legend: { show: false },
        cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
        scales: {
          y: { range: (_, min, max) => [Math.min(0, min * 1.08), max > 0 || min < 0 ? Math.max(0, max * 1.08) : 1] },
        },
        axes: [
          {
            stroke: ink.axis,
            grid: { show: false },
            ticks: { stroke: ink.grid, size: 4 },
            font: '12px system-ui',
            space: 70,
            size: 30,
            ...(hasDays(span) ? { incrs: DAY_STEPS } : {}),
            values: (_, at) => at.map((each) => axisTime(formats, each * SECONDS, span)),
          },
          {
            stroke: ink.axis,
            grid: { stroke: ink.grid, width: 1 },
            ticks: { show: false },
            font: '12px system-ui',
            size: (_, values) => axisWidth(values),
            ...(whole ? { incrs: WHOLE_STEPS } : {}),
            values: (_, values) => values.map(formatAxis ?? write),
          },
        ],
        series: [
          {},
          ...series.map((each, index) => {
            const stroke = colourOf(element, colourAt(index, each))
            return {
              label: each.label,
              stroke,
              width: 1.75,
              // A value between gaps makes no line.
              points: { show: true, size: 6, fill: stroke, filter: () => lonePoints(each.values) },
              ...(filled ? { fill: stroke.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.1)') } : {}),
            }
          }),
        ],
        hooks: { setCursor: [(plot) => showValues(plot, element.nextElementSibling, { ...words, series, write })] },
      },
      [times.map((at) => at / SECONDS), ...series.map(({ values }) => [...values])],
      element,
    )
    const resize = new ResizeObserver(() => chart.setSize({ width: Math.max(element.clientWidth, 120), height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [times, series, formats, theme, systemTheme, zone, height, filled, whole, daily, label])
  return (
    <div className="relative" aria-hidden>
      <div ref={box} className="w-full" style={{ height }} />
      <div hidden className="float-box pointer-events-none absolute top-1 z-10 px-2.5 py-1.5 text-sm whitespace-pre" />
    </div>
  )
}

interface Words {
  readonly formats: Formats
  readonly writeTime: (at: number) => string
  readonly series: readonly Series[]
  readonly write: (value: number) => string
}

const MIN_AXIS_WIDTH = 40
const DIGIT_WIDTH = 7
const AXIS_GAP = 12

/** Returns the width of an axis that cuts none of its labels. uPlot has no labels yet when it asks first. */
function axisWidth(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length))
  return Math.max(MIN_AXIS_WIDTH, longest * DIGIT_WIDTH + AXIS_GAP)
}

/** Returns the indexes of values without neighbours. */
function lonePoints(values: Series['values']): number[] {
  const isGap = (at: number) => values[at] === null || values[at] === undefined
  return values.flatMap((_, at) => (!isGap(at) && isGap(at - 1) && isGap(at + 1) ? [at] : []))
}

/** Shows time and values beside the pointer. */
function showValues(plot: uPlot, element: Element | null, { writeTime, series, write }: Words): void {
  if (!(element instanceof HTMLElement)) return
  const { idx, left = 0 } = plot.cursor
  const at = idx === null || idx === undefined ? undefined : plot.data[0][idx]
  element.hidden = at === undefined || left < 0
  if (at === undefined || idx === null || idx === undefined) return
  const lines = series.map(({ label, values }) => {
    const value = values[idx]
    return `${label}: ${value === null || value === undefined ? '–' : write(value)}`
  })
  element.textContent = [writeTime(at * SECONDS), ...lines].join('\n')
  const x = left + plot.bbox.left / devicePixelRatio
  element.style.left = `${Math.max(0, Math.min(x + 12, plot.width - element.offsetWidth - 8))}px`
}

/** Whether the labels of the time are days. */
function hasDays(spanSeconds: number): boolean {
  return spanSeconds > 2 * DAY_SECONDS
}

function axisTime(formats: Formats, at: number, spanSeconds: number): string {
  if (!hasDays(spanSeconds)) return formats.clock(at)
  return formats.day(at).replace(/,? ?\d{4}$/, '')
}

function ValueTable({ label, times, series, format, daily = false }: TimeChartProps) {
  const texts = usePartTexts()
  const formats = useFormats()
  const [isOpen, setOpen] = useState(false)
  const write = format ?? formats.number
  return (
    <details className="mt-2 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-sm text-muted hover:text-ink">{texts.chartTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section aria-label={label} tabIndex={0} className="mt-2 max-h-64 overflow-auto">
          <table className="w-full text-left">
            <caption className="sr-only">{label}</caption>
            <thead>
              <tr className="text-muted">
                <th scope="col" className="border-b py-1.5 pr-4 font-medium">
                  {texts.time}
                </th>
                {series.map((each) => (
                  <th key={each.label} scope="col" className="border-b py-1.5 pl-4 text-right font-medium">
                    {each.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, index) => (
                <tr key={at}>
                  <th scope="row" className="border-b py-1.5 pr-4 font-normal whitespace-nowrap">
                    {daily ? formats.day(at) : formats.time(at)}
                  </th>
                  {series.map(({ label: name, values }) => {
                    const value = values[index]
                    return (
                      <td key={name} className="border-b py-1.5 pl-4 text-right">
                        {value === null || value === undefined ? '–' : write(value)}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** Returns the colour that a CSS value has on this element; a canvas does not know variables. */
function colourOf(element: HTMLElement, value: string): string {
  const before = element.style.color
  element.style.color = value
  const colour = getComputedStyle(element).color
  element.style.color = before
  return colour
}

function useSystemTheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const query = matchMedia(DARK)
    const update = () => setDark(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isDark
}

const DARK = '(prefers-color-scheme: dark)'
