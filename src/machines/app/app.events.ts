import type { HubEvent } from '../../../contract/hub.ts';
import type { Clinic } from '../session/session.rules.ts';

/** What the root hears from its children, and from the router. */
export type AppEvent =
  | { type: 'place.entered'; place: string }
  | { type: 'place.wanted'; place: string }
  /** The stored sign-in was looked at: somebody is signed in, or nobody. */
  | { type: 'session.settled' }
  | { type: 'session.opened'; clinic: Clinic | null }
  | { type: 'session.closed' }
  | { type: 'clinic.changed'; clinic: Clinic | null }
  | { type: 'news.heard'; news: HubEvent }
  | { type: 'connection.restored' };

/** What the outside may listen to: a wish to go somewhere. */
export interface AppEmitted {
  type: 'place.wanted';
  place: string;
}
