import { visit } from './visit.ts';

/** The journeys that are walked in the browser, by their names. */
export const journeys = { visit } as const;
export type JourneyName = keyof typeof journeys;
