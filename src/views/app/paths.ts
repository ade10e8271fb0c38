import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { AppActor } from '../../machines/app/app.machine.ts';

/** Returns whether a path segment is a UUID. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Returns the path of a clinic's gallery. */
export const galleryPath = (clinicId: string): string => `/${clinicId}/gallery`;

/** Returns the path of the image quality of a clinic. */
export const qualityPath = (clinicId: string): string => `/${clinicId}/quality`;

/** Returns the path of the monitor check of a clinic. */
export const monitorPath = (clinicId: string): string => `/${clinicId}/monitor`;

/** Returns the path of the orders of images of a clinic. */
export const ordersPath = (clinicId: string): string => `/${clinicId}/orders`;

/** Returns the path of the retention of a clinic. */
export const retentionPath = (clinicId: string): string => `/${clinicId}/retention`;

/** Returns the path of the reviews of a clinic's access log. */
export const reviewsPath = (clinicId: string): string => `/${clinicId}/log-reviews`;

interface ReviewedAccess {
  readonly customerId: string;
  readonly account: { readonly id: string };
  readonly from: string;
  readonly to: string;
}

/** Returns the path of the log with what a review is about. */
export const reviewedLogPath = (
  { customerId, account, from, to }: ReviewedAccess,
  more: { readonly action?: string; readonly pattern?: string },
): string => `/log?${new URLSearchParams({ from, to, person: account.id, clinic: customerId, ...more })}`;

/** Returns the path of a clinic's users. */
export const clinicUsersPath = (clinicId: string): string => `/customers/${clinicId}/employeers`;

/** Path of the users of all clinics. */
export const allUsersPath = '/users';

/** Path of the system status, for administrators. */
export const systemPath = '/system';

/** Path of the list of damaged or missing image files. */
export const damagedPath = '/damaged';

/** Path of the refused calls in the access log. */
export const refusedCallsPath = '/log?action=access.refused';

/** Returns whether a page shows images; such pages are dark in the mixed theme. */
export const showsImages = (path: string): boolean => {
  const [first = '', second = ''] = path.split('/').slice(1);
  return (
    first === '' || first === 'patient' || (isUuid(first) && ['', 'gallery', 'quality', 'monitor'].includes(second))
  );
};

/** Returns whether a path belongs to the pages before sign-in. */
export const isSignInPath = (path: string): boolean => /^\/(authorization|auth|setup)(\/|$)/.test(path);

/** Returns whether the URL carries a pending authorization request, of this or another client. */
export const hasSignInRequest = (path: string, search: string): boolean =>
  /^\/authorization(\/|$)/.test(path) && new URLSearchParams(search).has('interaction');

/** History state of a search that must not appear in the URL. */
interface SearchHistoryState {
  /** A search text that may contain a personal number. */
  readonly listSearch: string;
}

/** Digits may be a personal number; they are kept in history state because URLs end up in logs and browser history. */
export const mayContainPersonalNumber = (text: string): boolean => /\d{2}/.test(text);

export const toHistoryState = (text: string): SearchHistoryState => ({ listSearch: text });

/** Returns the search text from history state; empty when there is none. */
export const searchFromHistory = (state: unknown): string =>
  typeof state === 'object' && state !== null && 'listSearch' in state && typeof state.listSearch === 'string'
    ? state.listSearch
    : '';

/** Navigates when a machine requests it. Digits of a search are moved from the URL to history state. */
export const useRequestedNavigation = (app: AppActor): void => {
  useEffect(() => {
    const subscription = app.on('navigation.requested', ({ path: place }) => {
      // The sign-in of another program stays, also when the user of this page is signed in.
      if (hasSignInRequest(window.location.pathname, window.location.search)) return;
      const isHere = place === window.location.pathname + window.location.search;
      const { pathname, searchParams } = new URL(window.location.origin + place);
      const text = searchParams.get('q') ?? '';
      if (mayContainPersonalNumber(text)) {
        searchParams.delete('q');
        const rest = searchParams.toString();
        // Replace the entry, so that the digits do not stay in the browser history.
        navigate(rest === '' ? pathname : `${pathname}?${rest}`, { replace: isHere, state: toHistoryState(text) });
      } else if (!isHere) navigate(place);
    });
    return () => subscription.unsubscribe();
  }, [app]);
};
