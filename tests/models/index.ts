import { importing } from './importing.ts';
import { mounting } from './mounting.ts';
import { recycleBin } from './recycle-bin.ts';
import { visit } from './visit.ts';

/** The journeys that are walked in the browser, by their names. */
export const journeys = { visit, mounting, importing, 'recycle-bin': recycleBin } as const;
export type JourneyName = keyof typeof journeys;
