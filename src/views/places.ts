import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { AppActor } from '../machines/app/app.machine.ts';

/** A clinic in an address, and whatever else is a UUID there. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The images of a clinic. */
export const galleryPath = (clinicId: string): string => `/${clinicId}/gallery`;

/** The people of a clinic. */
export const peoplePath = (clinicId: string): string => `/customers/${clinicId}/employeers`;

/** The people of all clinics. */
export const allPeoplePath = '/users';

/** Pages that show images are dark in the mixed theme: search, gallery and patient. */
export const showsImages = (path: string): boolean => {
  const [first = '', second = ''] = path.split('/').slice(1);
  return first === '' || first === 'patient' || (isUuid(first) && (second === '' || second === 'gallery'));
};

/** Pages of somebody who has yet to sign in. */
export const isEntry = (path: string): boolean => /^\/(authorization|auth|setup)(\/|$)/.test(path);

/** An authorization request that waits for a person, of this program or another. */
export const asksForSignIn = (path: string, search: string): boolean =>
  /^\/authorization(\/|$)/.test(path) && new URLSearchParams(search).has('interaction');

/** What travels with an address without standing in it. */
interface Luggage {
  /** A search text that may be somebody's personal number. */
  readonly listSearch: string;
}

/** Digits may be somebody's personal number: they travel beside the address, for addresses are kept in logs and histories. */
export const mayBePersonal = (text: string): boolean => /\d{2}/.test(text);

export const besideAddress = (text: string): Luggage => ({ listSearch: text });

/** The search text that came beside an address; empty when none did. */
export const cameBeside = (state: unknown): string =>
  typeof state === 'object' && state !== null && 'listSearch' in state && typeof state.listSearch === 'string'
    ? state.listSearch
    : '';

/** Goes where machines want to go. Digits of a search never stand in the address; what else it says stays: its list, its type, its order. */
export const useWantedPlaces = (app: AppActor): void => {
  useEffect(() => {
    const subscription = app.on('place.wanted', ({ place }) => {
      const isHere = place === window.location.pathname + window.location.search;
      const { pathname, searchParams } = new URL(window.location.origin + place);
      const text = searchParams.get('q') ?? '';
      if (mayBePersonal(text)) {
        searchParams.delete('q');
        const rest = searchParams.toString();
        // An address that was opened with digits in it is not left in the way back either.
        navigate(rest === '' ? pathname : `${pathname}?${rest}`, { replace: isHere, state: besideAddress(text) });
      } else if (!isHere) navigate(place);
    });
    return () => subscription.unsubscribe();
  }, [app]);
};
