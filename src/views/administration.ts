import type { Administration } from '../services/queries.ts';
import { useGround } from './ground.tsx';
import { useLate } from './parts/lazily.ts';

/** What administrators read and write. Its code is fetched with the first page that needs it: suspends until then. */
export const useAdministration = (): Administration => useLate(useGround().administration);
