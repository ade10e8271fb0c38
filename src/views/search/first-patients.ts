import { askedFor, listIn } from '../list-place.ts';
import { rowsOfAPage } from './row-names.ts';
import { foundBy, searchPlaceOf } from './search-place.ts';

export const patientLists = { sorts: ['found'], perPage: rowsOfAPage } as const;

/** The patients with which the search page of that clinic begins at this address; null where something else is shown. `state`: of the address. */
export const firstPatients = (
  clinicId: string,
  { pathname, search }: { readonly pathname: string; readonly search: string },
  state: unknown,
) => {
  if (pathname !== '/' && pathname !== `/${clinicId}`) return null;
  const params = new URLSearchParams(search);
  const place = searchPlaceOf(params);
  if (place.tab !== 'all' || place.type !== 'patients') return null;
  return foundBy(clinicId, place, askedFor(listIn(params, state, patientLists)));
};
