import type { Administration, Gallery, Passkeys, Records } from '../../services/queries.ts';
import { useLoaded } from '../ui/lazy-component.ts';
import { useAppContext } from './app-context.tsx';

/** Returns the gallery calls. Suspends until their code is loaded. */
export const useGallery = (): Gallery => useLoaded(useAppContext().gallery);

/** Returns the record calls (search, delete, restore, merge). Suspends until their code is loaded. */
export const useRecords = (): Records => useLoaded(useAppContext().records);

/** Returns the administration calls. Suspends until their code is loaded. */
export const useAdministration = (): Administration => useLoaded(useAppContext().administration);

/** Returns the calls about the user's passkeys. Suspends until their code is loaded. */
export const usePasskeys = (): Passkeys => useLoaded(useAppContext().passkeys);
