import { use } from 'react';
import type { Administration } from '../services/queries.ts';
import { useGround } from './ground.tsx';

/** What administrators read and write. Its code is fetched with the first page that needs it: suspends until then. */
export const useAdministration = (): Administration => use(useGround().administration());
