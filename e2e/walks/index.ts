import type { JourneyName } from '../../tests/models/index.ts';
import { importingWalker } from './importing.ts';
import { mountingWalker } from './mounting.ts';
import { recycleBinWalker } from './recycle-bin.ts';
import { visitWalker } from './visit.ts';
import type { WalkerOn } from './walker.ts';

/** The walker of each journey. */
export const walkers: { readonly [Name in JourneyName]: WalkerOn<Name> } = {
  visit: visitWalker,
  mounting: mountingWalker,
  importing: importingWalker,
  'recycle-bin': recycleBinWalker,
};
