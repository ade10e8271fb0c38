import type { HubEvent } from '../../../contract/hub.ts';
import type { Clinic } from '../session/session.rules.ts';

/** Events of the root machine: from its children and from the router. */
export type AppEvent =
  | { type: 'path.entered'; path: string }
  | { type: 'navigation.requested'; path: string }
  /** The stored sign-in was checked: it is known whether a user is signed in. */
  | { type: 'session.settled' }
  | { type: 'session.opened'; clinic: Clinic | null }
  | { type: 'session.closed' }
  | { type: 'clinic.changed'; clinic: Clinic | null }
  | { type: 'hub-event.received'; hubEvent: HubEvent }
  | { type: 'connection.restored' };

/** Emitted when the page should navigate. */
export interface AppEmitted {
  type: 'navigation.requested';
  path: string;
}
