/** English texts of the overview. */
export const OVERVIEW_EN = {
  title: 'Overview',
  carriers: 'Carriers',
  carrier: 'Carrier',
  channel: 'Channel',
  state: 'State',
  rate: 'Parts per second',
  waiting: 'Waiting',
  inFlight: 'In flight',
  up: 'Up',
  down: 'Down',
  draining: 'Draining',
  degraded: 'Degraded',
  notRunning: 'Not running here',
  noCarriers: 'No carriers yet',
  noCarriersHint: 'Messages are sent as soon as a carrier and a route exist.',
}
