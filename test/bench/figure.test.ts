/** The table that a run of benchmarks prints. */
import { expect, test } from 'vitest'
import { formatTable } from '../../bench/figure.ts'

test('verdicts follow the targets, whichever direction is better', () => {
  const figure = { benchmark: 'b', comparedWith: 'c', detail: '', must: 2, aim: 3 }
  const cells = formatTable([
    { ...figure, rounds: [9, 2.5, 1] },
    { ...figure, rounds: [1, 1.9, 4] },
    { ...figure, rounds: [3.5, 3, 2], must: 3, aim: 2, lessIsBetter: true, unit: ' s' },
  ])
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ').slice(1, 6))
  expect(cells).toEqual([
    ['2.50 (1.00 to 9.00)', 'c', '≥ 2.00', '≥ 3.00', 'held'],
    ['1.90 (1.00 to 4.00)', 'c', '≥ 2.00', '≥ 3.00', '**missed**'],
    ['3.00 s (2.00 to 3.50)', 'c', '≤ 3.00 s', '≤ 2.00 s', 'held'],
  ])
})
