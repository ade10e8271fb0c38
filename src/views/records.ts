import type { Records } from '../services/queries.ts';
import { useGround } from './ground.tsx';
import { useLate } from './parts/lazily.ts';

/** What is found, deleted, brought back and merged. Its code is fetched with the first that needs it: suspends until then. */
export const useRecords = (): Records => useLate(useGround().records);
