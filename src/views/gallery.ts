import type { Gallery } from '../services/queries.ts';
import { useGround } from './ground.tsx';
import { useLate } from './parts/lazily.ts';

/** The images of a clinic. Its code is fetched with the first page that needs it: suspends until then. */
export const useGallery = (): Gallery => useLate(useGround().gallery);
