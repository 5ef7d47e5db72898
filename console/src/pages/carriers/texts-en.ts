/** English texts of the list of carriers. */
export const LIST_EN = {
  title: 'Carriers',
  description: 'Connections to operators and messengers. Their state is that of this gateway.',
  list: 'Carriers',
  add: 'Add carrier',
  none: 'No carriers yet',
  noneHint: 'Messages leave once there is a carrier and a route to it.',
  addTitle: 'Add a carrier',
  addDescription: 'It connects as soon as it is added. A route decides which messages it gets.',
  provider: 'Provider',
  noProvider: 'None of these: I have the settings',
  setUp: (provider: string) => `Now at ${provider}`,
  id: 'Name',
  idHint: 'Lower-case letters, digits and dashes, such as smsc-north. It cannot be changed later.',
  settings: 'Settings',
  addRoute: 'Route all numbers to it',
  addRouteHint:
    'It stands beside other routes for all numbers: the cheaper carrier is first, equal ones share. Otherwise add a route afterwards, on the page Routes.',
  priority: 'Priority',
  priorityHint: 'The lower number is tried first; equal ones share the messages.',
  callRouteHint: 'Calls need a pool of calling numbers: add it and a route under Routes.',
  added: (carrier: string) => `Carrier ${carrier} added`,
}
